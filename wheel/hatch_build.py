"""Names the platform of the wheel, which holds programs and no Python modules."""
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformHook(BuildHookInterface):
    """Tags the wheel for any Python 3 on this platform; auditwheel refines it."""

    def initialize(self, version, build_data):
        """Sets the tag before the wheel is built."""
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
