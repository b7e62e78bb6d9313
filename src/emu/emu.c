/*
 * emu: gemmviz-emu, the recorder on the CPU.
 */
#include <unistd.h>

#include "record/serve.h"
#include "emu/launch.h"

static struct launch launch;

static int do_record(struct request *r, struct error *e)
{
	int fd, rc;

	if (launch_prepare(&launch, r, e) < 0) {
		launch.entry = NULL;
		return -1;
	}
	fd = temporary_file(e);
	if (fd < 0)
		return -1;
	rc = launch_record(&launch, fd, e);
	if (rc == 0)
		rc = serve_trace(fd, e);
	close(fd);
	return rc;
}

static int do_locals(const struct request *r, struct error *e)
{
	json_t *o = launch_locals(&launch, r, e);

	if (!o)
		return -1;
	serve_answer("locals", o);
	return 0;
}

static int do_request(struct request *r, struct error *e)
{
	switch (r->kind) {
	case REQUEST_RECORD:
		return do_record(r, e);
	case REQUEST_LOCALS:
		return do_locals(r, e);
	default:
		return error_set(e, EXIT_GPU, "gemmviz-emu runs on the CPU: "
				 "timings and counters are the GPU's");
	}
}

int main(void)
{
	static const struct service service = {
		"gemmviz-emu", "cpu", do_request,
	};

	block_signals();
	serve(&service);
	launch_done(&launch);
	return EXIT_DONE;
}
