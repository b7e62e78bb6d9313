#!/bin/bash
# machine_hardware.sh SASS COUNTS: compiles machine_hardware.cu for sm_90; where
# nvdisasm is, writes the machine code to SASS (tests/machine/hardware.90.sass);
# where a GPU and ncu are, with permission to read the counters, writes to COUNTS
# (data/machine-h200.jsonl) what the GPU counts of each kernel, a line each. Both
# need nvcc, of one version. tests/machine_hardware_test holds the one to
# the other.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
code=$tmp/machine_hardware.cubin
nvcc -cubin -arch=sm_90 -O3 -o "$code" "$here/machine_hardware.cu"
if command -v nvdisasm >/dev/null; then
	nvdisasm -c "$code" >"$1"
fi
nvidia-smi -L >/dev/null 2>&1 || exit 0

nvcc -arch=sm_90 -o "$tmp/launch" "$here/machine_hardware.cu" -lcuda
mapfile -t kernels < <(sed -n 's/^__global__ void.* \([a-z_0-9]*\)(PARAMETERS)$/\1/p' \
	"$here/machine_hardware.cu")
names=(global_load_requests global_load_sectors global_store_requests
	global_store_sectors shared_load_instructions shared_load_wavefronts
	shared_store_instructions shared_store_wavefronts)
metrics=(l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_ld.sum
	l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_st.sum
	smsp__sass_inst_executed_op_shared_ld.sum
	l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
	smsp__sass_inst_executed_op_shared_st.sum
	l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum)
ncu --clock-control none --csv --page raw --print-units base \
	--metrics "$(IFS=,; echo "${metrics[*]}")" \
	"$tmp/launch" "$code" "${kernels[@]}" >"$tmp/counts"
python3 - "$tmp/counts" "${names[*]}" "${metrics[*]}" >"$2" <<'END2'
import csv, json, sys
rows = list(csv.reader(l for l in open(sys.argv[1]) if l[0] == '"'))
column = rows[0].index
for row in rows[2:]:
    print(json.dumps({"kernel": row[column("Kernel Name")].split("(")[0],
        "counters": {name: int(row[column(metric)].replace(",", ""))
            for name, metric in zip(sys.argv[2].split(), sys.argv[3].split())}},
        separators=(",", ":")))
END2
wc -l "$2"
