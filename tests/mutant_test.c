/*
 * mutant_test: what the parts of the ladder's kernels are there for. Each
 * launch is of a kernel's text without one of them, or with one that is wrong,
 * and must have the finding that the part prevents: its kind, who did what in
 * which lines; the text itself has none.
 * sanitized: nightly
 */
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "emu_ask.h"
#include "kernels/kernels.h"
#include "analysis/report.h"

struct mutant {
	const char *what;
	const char *from, *to;		/* in the text */
	const char *kind, *words;	/* of a finding */
};

struct subject {
	const char *kernel, *defines;	/* "SLABS=1 STAGES=2" */
	int m, n, k;
	uint32_t blocks;		/* that it has; 0: as the table says */
	const struct mutant *mutants;
	size_t count;
};

static const struct mutant naive[] = {
	{ "a row too many", "row < M && col < N", "row <= M && col < N",
	  "out-of-bounds", "thread (0,8) of block (0,2) reads A[1600]; A has "
	  "1600 elements; line 23" },
	{ "a product too many", "k < K", "k <= K", "out-of-bounds",
	  "reads B[1600]; B has 1600 elements; line 23" },
	{ "elements that are one further", "col] = sum", "col + 1] = sum",
	  "out-of-bounds", "thread (7,7) of block (2,2) writes C[1600]; C has "
	  "1600 elements; line 24" },
	{ "a sum that begins with anything", "float sum = 0.0f;", "float sum;",
	  "wrong-result", "1600 of 1600 elements of C are wrong" },
	{ "columns from behind", "A[row * K + k]", "A[row * K + K - 1 - k]",
	  "wrong-result", "elements of C are wrong" },
	{ "one element that is not stored", "col < N) {",
	  "col < N && row + col > 0) {", "wrong-result",
	  "no thread writes row 0, column 0 of C: 1 of its 1600 " },
	{ "indices exchanged", "B[k * N + col]", "B[col * N + k]",
	  "uncoalesced",
	  "Loading from B takes 32000 sectors where 4000 would do" },
	{ "threads of one element", "+ threadIdx.y;", ";", "race",
	  "thread (0,0) writes C[0] in line 24 and thread (0,1) of block (0,0) "
	  "writes it in line 24" },
};

static const struct mutant tiled[] = {
	{ "a barrier for half of the threads", "__syncthreads();\n\n",
	  "if (ty < 8) __syncthreads();\n\n", "barrier", "only 128 of 256 "
	  "threads of block (0,0) reach the barrier in line 39: thread (0,8) "
	  "waits elsewhere, last in line 43" },
	{ "threads that leave early", "    float sum = 0.0f;", "    if (row >= "
	  "M || col >= N) return;\n    float sum = 0.0f;", "barrier",
	  "in line 40: thread (8,0) has ended, last in line 28" },
	{ "a barrier behind the loop", "        __syncthreads();\n    }",
	  "    }\n    __syncthreads();", "race", "thread (0,0) of block (0,0) "
	  "writes As[0][0] for the next t in line 32 while thread (1,0) still "
	  "reads it for this t in line 42" },
	{ "a tile a step too deep", "k < TILE", "k <= TILE", "out-of-bounds",
	  "thread (0,0) of block (0,0) reads Bs[16][0]; Bs has 16x16 elements; "
	  "line 42" },
	{ "edges that nobody stores",
	  "        else\n            Bs[ty][tx] = 0.0f;\n", "",
	  "read-before-write",
	  "reads Bs[0][8], which no thread of the block has written" },
};

static const struct mutant tiled_bt[] = {
	{ "a tile turned twice", "Bs[tx][k]", "Bs[k][tx]", "wrong-result",
	  "elements of C are wrong" },
};

static const struct mutant tiled_bt_pad[] = {
	{ "no padding", "TILE + 1]", "TILE]", "bank-conflict", "Loading from "
	  "Bs takes 262144 wavefronts where 8192 would do" },
	{ "rows too short", "TILE + 1]", "TILE - 1]", "out-of-bounds",
	  "Bs has 32x31 elements" },
};

static const struct mutant register_tiled[] = {
	{ "sums that begin with anything", "accum[WORK][WORK] = {}",
	  "accum[WORK][WORK]", "read-before-write",
	  "reads accum[0][0], which it has never written; line 57" },
	{ "registers too few", "reg_B[WORK]", "reg_B[WORK - 1]",
	  "out-of-bounds", "writes reg_B[3]; reg_B has 3 elements; line 53" },
};

static const struct mutant float4_[] = {
	{ "four that begin at any", "(DEPTH / 4) * 4;", "(DEPTH / 4) * 4 + 1;",
	  "crash", "reads 16 bytes at once at A[1], which is not aligned to 16 "
	  "bytes" },
	{ "a row further", "b_row = tid / (TILE / 4)",
	  "b_row = tid / (TILE / 4) + 1", "out-of-bounds", "thread (0,15) of "
	  "block 0 writes Bs[16][0]; Bs has 16x64 elements; line 53" },
	{ "no barrier behind the stores", "__syncthreads();\n\n", "\n", "race",
	  "thread (0,0) writes As[0][0] in line 49 and thread (1,0) of block 0 "
	  "reads it in line 61" },
};

static const struct mutant float4_at[] = {
	{ "padding of a word", "#define PAD 4", "#define PAD 1", "crash",
	  "reads 16 bytes at once at As[1][0], which is not aligned to 16 "
	  "bytes: a GPU stops here; line 58" },
	{ "no padding", "#define PAD 4", "#define PAD 0", "bank-conflict",
	  "Storing to As takes 32 wavefronts where 16 would do" },
	{ "the same for rows and columns", "ty * WORK]);\n            float4",
	  "tx * WORK]);\n            float4", "wrong-result",
	  "elements of C are wrong" },
	{ "no barrier behind the loads", "        __syncthreads();\n    }",
	  "    }", "race", "thread (0,0) writes As[0][0] in line 49 and thread "
	  "(1,0) of block 0 reads it in line 58, with no barrier between "
	  "them; 4 pairs of lines from 49 to 58" },
};

static const struct mutant double_buffered[] = {
	{ "a wait that leaves one", "wait_prior(0)", "wait_prior(1)",
	  "read-before-write", "reads As[0][0][0] in line 56, while the "
	  "asynchronous copy that thread (0,0) started in line 46 may still "
	  "write it" },
	{ "copies of no group", "            __pipeline_commit();\n", "",
	  "read-before-write", "while the asynchronous copy that thread (0,0) "
	  "started in line 46" },
	{ "a barrier before the wait", "        __pipeline_wait_prior(0);\n    "
	  "    __syncthreads();", "        __syncthreads();\n        "
	  "__pipeline_wait_prior(0);", "read-before-write", "reads As[0][0][1] "
	  "in line 56, while the asynchronous copy that thread (1,0) started "
	  "in line 46" },
	{ "the tiles that come", "use = 1 - load", "use = load",
	  "read-before-write", "while the asynchronous copy that thread (0,0) "
	  "started in line 46" },
	{ "a round too few", "t < K + TILE", "t < K", "wrong-result",
	  "elements of C are wrong" },
};

static const struct mutant padded[] = {
	{ "sizes as they are", "C[row * N + col] = sum",
	  "C[row * N + col + N] = sum", "out-of-bounds",
	  "C has 2304 elements" },
};

static const struct mutant wmma[] = {
	{ "rows of another length", "DEPTH + PAD);", "DEPTH);",
	  "read-before-write", "reads As[6][32..33], which no thread of the "
			       "block has written; line 78" },
	{ "rows that are no multiple of 16 bytes", "#define PAD 8",
	  "#define PAD 4", "crash", "wmma needs a leading dimension that is a "
	  "multiple of 16 bytes" },
	{ "sums that begin with anything",
	  "wmma::fill_fragment(c[i][j], 0.0f);", ";", "read-before-write",
	  "reads c[0][0][0], which it has never written; line 84" },
	{ "columns in place of rows", "matrix_b, 16, 16, 16, half,\n           "
	  "        wmma::row_major", "matrix_b, 16, 16, 16, half,\n            "
	  "       wmma::col_major", "wrong-result", "elements of C are wrong" },
	{ "one lane that stores", "if (row < M && col < N)\n",
	  "if (threadIdx.x % 32 == 0)\n", "barrier",
	  "calls wmma::store_matrix_sync, which needs all 32 lanes of a warp, "
	  "but only 1 called it" },
	{ "C of another width", "c[i][j], N,", "c[i][j], K,", "race",
	  "thread 4 writes C[64] in line 96 and thread 32 of block 0 writes it "
	  "in line 96" },
};

static const struct mutant mma[] = {
	{ "a swizzle on one side", "copy(&Bs[row][swizzled(row, col)]",
	  "copy(&Bs[row][col]", "wrong-result", "elements of C are wrong" },
	{ "B as it stands", "ldmatrix_x4_trans(", "ldmatrix_x4(",
	  "wrong-result", "elements of C are wrong" },
	{ "half a swizzle", "row % 8 * 8", "row % 8 * 4", "crash",
	  "writes 16 bytes at once at As[1][4], which is not aligned to 16 "
	  "bytes" },
	{ "half a warp", "ldmatrix_x4(a[i]", "if (lane < 16) ldmatrix_x4(a[i]",
	  "barrier", "waits at ldmatrix_x4 in line 85; lanes of its warp that "
	  "never arrive: 16, such as thread 16, which waits at "
	  "ldmatrix_x4_trans in line 92" },
	{ "sums that begin with anything", "c[2][8][4] = {}", "c[2][8][4]",
	  "read-before-write",
	  "reads c[0][0][0], which it has never written; line 94" },
	{ "pairs that begin at any", "lane % 4 * 2", "lane % 4", "crash",
	  "writes 8 bytes at once at C[1], which is not aligned to 8 bytes" },
};

static const struct mutant mma_multistage[] = {
	{ "a wait that leaves too many", "STAGES - 2)", "STAGES - 1)",
	  "read-before-write", "started in line 81 may still write it" },
	{ "copies of no group",
	  "N - col0);\n                __pipeline_commit();", "N - col0);\n",
	  "read-before-write", "started in line 81 may still write it" },
	{ "the stage that is read", "As + done * SIZE_A, A + next",
	  "As + stage * SIZE_A, A + next", "race", "reads tiles[4096] in line "
	  "99 and thread 0 of block 0 writes it in line 81" },
	{ "nothing that is left out", "inside ? 0 : 16", "0", "out-of-bounds",
	  "B has 40960 elements; line 81" },
	{ "fragments of a step before", "fetch(a[1 - now]", "fetch(a[now]",
	  "wrong-result", "elements of C are wrong" },
};

static const struct mutant warptile[] = {
	{ "rows of A that begin in the same banks", "#define PAD 8",
	  "#define PAD 0", "bank-conflict", "Storing to As" },
	{ "sums that begin with anything", "c[WORK][WORK] = {}",
	  "c[WORK][WORK]", "read-before-write",
	  "reads c[0][0], which it has never written; line 91" },
};

static const struct mutant sgemm_pipelined[] = {
	{ "no wait for the copies", "__pipeline_wait_prior(0);", "",
	  "read-before-write", "while the asynchronous copy that " },
	{ "no barrier between two tiles",
	  "__syncthreads();\n                use = 1 - use;",
	  "use = 1 - use;", "race", "As[" },
	{ "copies of no group", "    __pipeline_commit();\n", "",
	  "read-before-write",
	  "while the asynchronous copy that thread 0 started in line 56" },
	{ "a tile behind the last", "more = t + 1 < K / BK", "more = true",
	  "out-of-bounds", "B has 6144 elements; line 56" },
	{ "registers of this step", "read(a[next % 2],", "read(a[k % 2],",
	  "wrong-result", "elements of C are wrong" },
};

static const struct mutant sgemm[] = {
	{ "no barrier between two tiles", "__pipeline_wait_prior(0);\n"
	  "                __syncthreads();", "__pipeline_wait_prior(0);",
	  "race", "shared[" },
	{ "no wait for the copies of the step", "__pipeline_wait_prior(0);\n"
	  "                __syncthreads();", "__syncthreads();",
	  "read-before-write", "while the asynchronous copy that " },
	{ "a tile stored behind the barrier",
	  "Aligned && k > MEET - 4 && k <= MEET",
	  "Aligned && k > MEET && k <= MEET + 4", "race", "shared[" },
	{ "a part that is not waited for", "    if (threadIdx.x == 0) {\n"
	  "        while (atomicAdd(done, 0) != p.from)\n            ;\n"
	  "        atomicExch(done, 0);\n    }\n", "",
	  "race", "nothing orders the two blocks" },
	{ "a part that others need not see", "    __threadfence();\n"
	  "    __syncthreads();\n    if", "    __syncthreads();\n    if",
	  "race", "nothing orders the two blocks" },
	{ "a part that one thread alone waits for",
	  "        atomicExch(done, 0);\n    }\n    __syncthreads();\n",
	  "        atomicExch(done, 0);\n    }\n",
	  "race", "nothing orders the two blocks" },
	{ "sums that other lanes still store",
	  "        __syncwarp();\n        store", "        store", "race",
	  "thread 2 reads shared[544] in line 445 and thread 4 of block 0 "
	  "writes it in line 587" },
	{ "a flag that is no atomic", "atomicAdd(&steps_done[tile], steps)",
	  "steps_done[tile] += steps", "race",
	  "thread 0 of block 0 writes steps_done[1] in line 334 and thread 0 "
	  "of block 1 reads it in line 344" },
	{ "a flag that is never so", "!= p.from)", "!= p.from + 1)",
	  "endless", "thread 0 of block 1 "
	  "spins on steps_done[1] in line 344, which will not change" },
	{ "rows exchanged", "(self.a_row ^ 1) * 4", "self.a_row * 4",
	  "wrong-result",
	  "elements of C are wrong" },
};

/* Of tiles that five blocks each add up. */
static const struct mutant sgemm_crowd[] = {
	{ "parts that are not waited for",
	  "        while (atomicAdd(done, 0) < steps)\n            ;\n",
	  "        ;\n", "race", "nothing orders the two blocks" },
	{ "parts that one thread alone waits for",
	  "            ;\n    __syncthreads();\n    __threadfence();\n    for",
	  "            ;\n    __threadfence();\n    for", "race",
	  "nothing orders the two blocks" },
	{ "a part that nobody adds", "for (int b = 0; b < blocks; ++b)",
	  "for (int b = 1; b < blocks; ++b)", "wrong-result",
	  "elements of C are wrong" },
	{ "shares that meet", "n < (part + 1) * sums / blocks",
	  "n < (part + 1) * sums / blocks + 1", "race", "C[" },
	{ "steps that nobody does", "(part + 1) * steps / s.crowd };",
	  "(part + 1) * (steps / s.crowd) };", "endless", "steps_done[" },
};

static const struct mutant wgmma_basic[] = {
	{ "no barrier behind the init",
	  "    }\n    __syncthreads();\n\n    for",
	  "    }\n\n    for", "race", "thread 1 of block 0 uses the mbarrier "
	  "full, which thread 0 may not have initialized yet in line 39" },
	{ "tiles that threads wrote", "    for (int k = 0; k < K",
	  "    As[t / 64][t % 64] = half();\n    __syncthreads();\n"
	  "    for (int k = 0; k < K", "race", "by TMA, which might not come "
					       "after what thread 0 stored in "
					       "line 44: call "
					       "fence_proxy_async() after the "
					       "store" },
	{ "no wait for the boxes", "mbarrier_wait_parity(&full, parity);", "",
	  "read-before-write", "while the asynchronous copy that " },
	{ "no wait for the products", "wgmma_wait_group<0>();", "",
	  "race", "may still read it" },
	{ "the same parity again", "parity ^= 1;", ";", "read-before-write",
	  "while the asynchronous copy that thread 0 started in line 47" },
	{ "an arrival that never comes", "(&full, 1)", "(&full, 2)", "barrier",
	  "waits for phase 0 of the mbarrier full, which never completes: 1 of "
	  "2 arrivals, 24576 of 24576 bytes; line 51" },
	{ "no fence of the registers", "        wgmma_fence();\n", "", "race",
	  "call wgmma_fence() before the first wgmma" },
	{ "products of no group", "        wgmma_commit_group();\n", "",
	  "read-before-write", "reads d, which a wgmma may still write: "
	  "wgmma_wait_group() must come first; line 70" },
	{ "sums that begin with anything", "k + i > 0", "1",
	  "read-before-write",
	  "calls wgmma with accumulators that it has never written; line 56" },
	{ "rows for columns", "A, row0, k", "A, k, row0", "wrong-result",
	  "elements of C are wrong" },
};

static const struct mutant tma_pipeline[] = {
	{ "a consumer that does not wait",
	  "mbarrier_wait_parity(&s.full[stage], parity);", "",
	  "read-before-write", "while the asynchronous copy that " },
	{ "a consumer that gives nothing back",
	  "mbarrier_arrive(&s.empty[before]);", "before = 0;",
	  "barrier", "the mbarrier shared.empty[0], which never completes: 0 "
	  "of 2 arrivals" },
	{ "a consumer that gives back what it still reads",
	  "            wgmma_wait_group<1>();\n", "",
	  "race", "may still read it" },
	{ "a producer that does not wait",
	  "mbarrier_wait_parity(&s.empty[stage], parity);", "",
	  "race", "while the asynchronous copy that " },
	{ "a producer that waits for the wrong phase",
	  "unsigned parity = 1;", "unsigned parity = 0;",
	  "barrier", "the mbarrier shared.empty[0], which never completes" },
	{ "mbarriers that others need not see", "    __syncthreads();\n", "",
	  "race", "thread 128 of block 0 uses the mbarrier shared.full[0], "
	  "which thread 0 may not have initialized yet" },
	{ "a stage too many", "stage = (stage + 1) % STAGES;\n            par",
	  "stage = (stage + 1) % (STAGES + 1);\n            par",
	  "out-of-bounds", "shared has 196672 elements" },
	{ "bytes that nobody waits for", "(BM + BN) * BK * sizeof(real)",
	  "BM * BK * sizeof(real)", "read-before-write",
	  "while the asynchronous copy that " },
	{ "bytes that nobody brings", "(BM + BN) * BK * sizeof(real)",
	  "(BM + BN + 1) * BK * sizeof(real)", "barrier",
	  "the mbarrier shared.full[0], which never completes: 1 of 1 "
	  "arrivals" },
	{ "a parity that stays", "parity ^= stage == 0;\n        }", "}",
	  "race",
	  "while the asynchronous copy that thread 0 started in line 75" },
	{ "a producer of every other step",
	  "k += BK) {\n            mbarrier_wait",
	  "k += 2 * BK) {\n            mbarrier_wait", "barrier",
	  "waits for phase 0 of the mbarrier shared.full[3], which never "
	  "completes: 0 of 1 arrivals" },
};

static const struct mutant hgemm[] = {
	{ "a block that ends before the other",
	  "DEEP == 1 && i < STAGES", "DEEP == 1 && i < 0",
	  "race", "but the block may have ended by then in line " },
	{ "a block that ends at once", "    if (group == 0) {",
	  "    if (cluster_ctarank() == 1) return;\n    if (group == 0) {",
	  "race", "starts a TMA load that signals the mbarrier shared.full[0] "
	  "of block 1, but the block ends in line 592 without waiting for it" },
	{ "a block that ends before it is needed", "    int group = threadIdx",
	  "    if (cluster_ctarank() == 1) return;\n    int group = threadIdx",
	  "crash", "of block 1, but that block has ended and has not "
		   "initialized one" },
	{ "a multicast to a block that is not there", "(1 << CLUSTER) - 1;",
	  "(2 << CLUSTER) - 1;", "crash",
	  "multicasts by TMA to blocks outside its cluster" },
	{ "mbarriers that the other block may not have",
	  "        meet();\n    else\n", "        __syncthreads();\n    else\n",
	  "race", "may not have initialized yet" },
	{ "stages that this block alone gives back", "if (whom != NOBODY)",
	  "if (whom == (int)cluster_ctarank())", "barrier",
	  "which never completes: 2 of 4 arrivals" },
	{ "stages that this block alone waits for",
	  "CONSUMERS * (CLUSTER + BESIDE - 1)",
	  "CONSUMERS", "race", "may still read it" },
	{ "parts that come before the last have left",
	  "cp_async_bulk_wait_group_read<PLACES - 1>();", ";", "race",
	  "may still read it" },
	{ "parts that the warps need not see free",
	  "cp_async_bulk_wait_group_read<PLACES - 1>();\n                "
	  "bar_sync(1 + me, 128);",
	  "cp_async_bulk_wait_group_read<PLACES - 1>();", "race",
	  "may still read it" },
	{ "parts that TMA need not see",
	  "                fence_proxy_async();\n", "", "race",
	  "call fence_proxy_async() after the store" },
	{ "parts that leave before they are whole",
	  "fence_proxy_async();\n                bar_sync(1 + me, 128);",
	  "fence_proxy_async();", "race", "with no barrier between them" },
	{ "parts that have not left at the end",
	  "        cp_async_bulk_wait_group_read<0>();", "        ;", "race",
	  "ends before its TMA store has read shared memory" },
	{ "a barrier of fewer threads",
	  "bar_sync(1 + me, 128);\n                store",
	  "bar_sync(1 + me, 96);\n                store", "crash",
	  "all threads that come to a barrier must name the same number of "
	  "threads" },
	{ "barriers of halves of two groups", "1 + me, 128",
	  "1 + (me + threadIdx.x / 64) % 2, 128", "race",
	  "thread 192 writes shared.out[0][0][0][32] in line 297 and thread "
	  "128 of block 0 reads it in line 544" },
	{ "a multicast to one block", "below);\n            stage",
	  "1);\n            stage", "barrier",
	  "waits for phase 0 of the mbarrier shared.empty[0], which never "
	  "completes: 2 of 4 arrivals" },
	{ "half a tile twice", "seat_row() * (BK / CLUSTER)", "0",
	  "read-before-write", "reads shared.B[0][0][32][0], which no thread "
			       "of the block has written; line 506" },
	{ "parts without a swizzle", "(chunk ^ lane % 8)", "chunk",
	  "wrong-result", "elements of C are wrong" },
};

/* C's rows are wgmma's, and two products a consumer's. */
static const struct mutant hgemm_upright[] = {
	{ "the rows of one product", "k_major(&A[n * 64][i])",
	  "k_major(&A[0][i])", "wrong-result", "elements of C are wrong" },
	{ "rows without a swizzle", "(chunk ^ row / 2 % 4)", "chunk",
	  "wrong-result", "elements of C are wrong" },
	{ "columns of one slab", "col + right * WIDTH", "col", "wrong-result",
	  "elements of C are wrong" },
	{ "eights of one product", "x[i], x[i + 1]", "x[i], x[i]",
	  "wrong-result", "elements of C are wrong" },
};

/* Of a tile whose steps two blocks of a cluster share. */
static const struct mutant hgemm_deep[] = {
	{ "sums that are not waited for", "    meet();\n    for",
	  "    cluster_arrive();\n    for", "race",
	  "in line 359 and thread 128 of block 3 writes it in line 346: "
	  "nothing orders the two blocks" },
	{ "sums that come before the last are read", "n > 0", "false", "race",
	  "in line 359 and thread 128 of block 2 writes it in line 346: "
	  "nothing orders the two blocks" },
	{ "sums at one place", "&s.sums[mine]", "&s.sums[0]",
	  "read-before-write", "reads shared.sums[1][0][0][0..3], which no "
			       "thread of the block has written" },
	{ "sums to a block that is not there", "+ seat(),", "+ seat() + 1,",
	  "crash", "accesses an address outside the shared memory of its "
		   "cluster" },
	{ "sums of one block", "depth < DEEP; ++depth) {\n",
	  "depth < 1; ++depth) {\n", "wrong-result",
	  "elements of C are wrong" },
	{ "steps that nobody does", "steps * seat_depth() / DEEP",
	  "steps * seat_depth()", "wrong-result", "elements of C are wrong" },
	{ "a multicast to the first blocks", "int team = seat_depth() * TEAM",
	  "int team = 0 * TEAM", "barrier", "waits for phase 0 of the mbarrier "
	  "shared.full[0], which never completes" },
};

/* Of a tile that two blocks share. */
static const struct mutant hgemm_shared[] = {
	{ "a part that is not waited for", "    if (t == 0) {\n"
	  "        while (atomicAdd(done, 0) != p.from)\n            ;\n"
	  "        atomicExch(done, 0);\n    }\n", "",
	  "race", "nothing orders the two blocks" },
	{ "a part that others need not see", "    __threadfence();\n"
	  "    bar_sync(1 + me, 128);\n    if", "    bar_sync(1 + me, 128);\n"
	  "    if", "race", "nothing orders the two blocks" },
	{ "a part that one thread alone waits for",
	  "        atomicExch(done, 0);\n    }\n    bar_sync(1 + me, 128);\n",
	  "        atomicExch(done, 0);\n    }\n",
	  "race", "nothing orders the two blocks" },
};

static const struct mutant bug_edge[] = {
	{ "whole tiles alone", "t < K", "t + TILE <= K", "wrong-result",
	  "elements of C are wrong" },
};

static const struct mutant bug_one_warp[] = {
	{ "rows of two warps", "blockIdx.y * 32",
	  "blockIdx.y * 32 + threadIdx.x / 64 * 16", "race", "thread 0 writes "
	  "C[0] in line 36 and thread 32 of block 0 writes it in line 36" },
};

#define MUTANTS(of) (of), LENGTH(of)

static const struct subject subjects[] = {
	{ "naive", "", 40, 40, 40, 0, MUTANTS(naive) },
	{ "tiled", "", 40, 40, 40, 0, MUTANTS(tiled) },
	{ "tiled_bt", "", 40, 40, 40, 0, MUTANTS(tiled_bt) },
	{ "tiled_bt_pad", "", 40, 40, 40, 0, MUTANTS(tiled_bt_pad) },
	{ "register_tiled", "", 40, 40, 40, 0, MUTANTS(register_tiled) },
	{ "float4", "", 64, 64, 32, 0, MUTANTS(float4_) },
	{ "float4_at", "", 64, 64, 32, 0, MUTANTS(float4_at) },
	{ "double_buffered", "", 24, 24, 40, 0, MUTANTS(double_buffered) },
	{ "padded", "", 48, 48, 48, 0, MUTANTS(padded) },
	{ "wmma", "", 128, 128, 64, 0, MUTANTS(wmma) },
	{ "mma", "", 128, 128, 64, 0, MUTANTS(mma) },
	{ "mma_multistage", "", 128, 256, 160, 0, MUTANTS(mma_multistage) },
	{ "warptile", "", 64, 128, 32, 0, MUTANTS(warptile) },
	{ "sgemm_pipelined", "", 64, 128, 48, 0, MUTANTS(sgemm_pipelined) },
	/* Three tiles, one of which two blocks share. */
	{ "sgemm", "BM=64 BN=64 BK=16 BLOCKS=4", 130, 36, 224, 2,
	  MUTANTS(sgemm) },
	{ "sgemm", "BM=32 BN=32 BK=16 BLOCKS=10 TM=4 TN=4", 20, 36, 224, 10,
	  MUTANTS(sgemm_crowd) },
	{ "wgmma_basic", "", 64, 128, 128, 0, MUTANTS(wgmma_basic) },
	/* More steps than stages. */
	{ "tma_pipeline", "", 256, 128, 384, 0, MUTANTS(tma_pipeline) },
	/* A cluster that computes tiles twice. */
	{ "hgemm", "SLABS=2 BM=128 STAGES=2 CLUSTER=2", 256, 256, 256, 2,
	  MUTANTS(hgemm) },
	{ "hgemm", "WIDTH=32 SLABS=3 STAGES=2 CLUSTER=1", 256, 192, 128, 2,
	  MUTANTS(hgemm_upright) },
	{ "hgemm", "SLABS=1 BM=64 STAGES=2 CLUSTER=1 CONSUMERS=1", 192, 64,
	  1280, 2, MUTANTS(hgemm_shared) },
	{ "hgemm", "SLABS=1 BM=64 STAGES=2 CLUSTER=2 CONSUMERS=1 DEEP=2", 256,
	  128, 256, 4, MUTANTS(hgemm_deep) },
	{ "bug_edge", "", 40, 40, 40, 0, MUTANTS(bug_edge) },
	{ "bug_one_warp", "", 32, 32, 16, 0, MUTANTS(bug_one_warp) },
};

/* ---- the text ---- */

static char *text_of(const char *kernel)
{
	const char *top = getenv("srcdir");
	char *path = xasprintf("%s/src/kernels/%s.cu", top ? top : ABS_SRCDIR,
			       kernel);
	struct error e = { 0 };
	size_t length;
	char *text = file_read(path, 1 << 20, &length, &e);

	if (!text)
		printf("# %s\n", e.text);
	free(path);
	return text ? text : xstrdup("");
}

/* With `to` wherever it has `from`; NULL: nowhere. */
static char *replaced(const char *text, const char *from, const char *to)
{
	struct str s = { 0 };
	const char *at = strstr(text, from);

	if (!at)
		return NULL;
	for (; at; at = strstr(text, from)) {
		str_addf(&s, "%.*s%s", (int)(at - text), text, to);
		text = at + strlen(from);
	}
	str_add(&s, text);
	return str_take(&s);
}

/* ---- its launch ---- */

static const char *define_of(const void *defines, const char *name)
{
	return json_string_value(json_object_get(defines, name));
}

static json_t *dims(struct trace_dim d)
{
	return json_pack("[iii]", d.x, d.y, d.z);
}

/* The table's launch of this text. */
static json_t *launch(const struct subject *s, const char *text)
{
	const struct kernel *k = kernel_find(s->kernel);
	json_t *defines = defines_of(s->defines);
	int p[KERNEL_PARAMS];
	struct trace_dim grid;
	json_t *o = text_request("mutant.cu", text, k->entry, "");

	kernel_values(k, p, define_of, defines);
	grid = k->grid(p, s->m, s->n, s->k);
	if (s->blocks)
		grid.x = s->blocks;
	with(o, "block", dims(k->block(p)));
	with(o, "grid", dims(grid));
	if (k->shared)
		with(o, "shared_bytes", json_integer(k->shared(p)));
	with(o, "m", json_integer(s->m));
	with(o, "n", json_integer(s->n));
	with(o, "k", json_integer(s->k));
	return with(o, "defines", defines);
}

/* ---- what is found ---- */

/* A line each: the recorder's, then the model's. `faults` are the former, of
 * which one is that nothing was recorded. */
static char *found(const struct subject *s, const char *text, size_t *faults)
{
	struct reply r = ask(launch(s, text));
	struct report report;
	struct str found = { 0 };
	struct error e;

	str_add(&found, r.error);
	*faults = 1;
	if (r.trace && report_build(r.trace, &report, &e) == 0) {
		*faults = trace_info(r.trace)->finding_count;
		for (size_t i = 0; i < report.finding_count; i++)
			str_addf(&found, "%s: %s\n", report.findings[i].kind,
				 report.findings[i].text);
		report_done(&report);
	}
	reply_done(&r);
	return str_take(&found);
}

static bool has(const char *found, const char *kind, const char *words)
{
	size_t length;

	for (; *found; found += length + (found[length] == '\n')) {
		const char *at = strstr(found, words);

		length = strcspn(found, "\n");
		if (!strncmp(found, kind, strlen(kind)) && at &&
		    at < found + length)
			return true;
	}
	return false;
}

static void try_mutant(const struct subject *s, const struct mutant *m,
		       const char *text)
{
	char *changed = replaced(text, m->from, m->to);
	size_t faults;
	char *got = changed ? found(s, changed, &faults) :
			      xstrdup("the text has no such part");

	if (!tap_ok(has(got, m->kind, m->words), "%s, %s: %s, ...%s...",
		    s->kernel, m->what, m->kind, m->words))
		printf("# %s\n", got);
	free(got);
	free(changed);
}

/* A text that names no cluster is launched without one. */
static char *with_cluster(char *text, const struct subject *s)
{
	char *own;

	if (!kernel_find(s->kernel)->cluster)
		return text;
	own = replaced(text, "__global__ void",
		       strstr(s->defines, "DEEP=2") ?
			       "__global__ void __cluster_dims__(4, 1, 1)" :
			       "__global__ void __cluster_dims__(CLUSTER, 1, 1)");
	free(text);
	return own;
}

static void try_subject(const struct subject *s)
{
	char *text = with_cluster(text_of(s->kernel), s);
	size_t faults;
	char *got = found(s, text, &faults);

	if (!tap_ok((faults > 0) == (kernel_find(s->kernel)->bug != NULL),
		    "%s itself has no fault, unless it is in the museum",
		    s->kernel))
		printf("# %s\n", got);
	free(got);
	for (size_t i = 0; i < s->count; i++)
		if (tap_in_turn(3))
			try_mutant(s, &s->mutants[i], text);
	free(text);
}

int main(void)
{
	for (size_t i = 0; i < LENGTH(subjects); i++)
		try_subject(&subjects[i]);
	if (runner)
		runner_free(runner);
	return tap_done();
}
