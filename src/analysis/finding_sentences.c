/*
 * finding_sentences: see finding_sentences.h.
 */
#include "analysis/finding_sentences.h"
#include "base/lang.h"

const char *const finding_sentences[CAUSE_COUNT] = {
	[CAUSE_OUTSIDE_ARRAY] = N_("{thread} {does} {elements}; {array} has "
		"{extent}{ if assumed}{; line}"),
	[CAUSE_BELOW_ZERO] = N_("{thread} {does} far outside {array}: an "
				"unsigned index wrapped below 0; {element} was "
				"meant{; line}"),
	[CAUSE_NULL_POINTER] = N_("{thread} {does} through a null pointer"
		"{; line}"),
	[CAUSE_NO_ARRAY] = N_("{thread} {does} at an address outside all "
			      "arrays{; line}"),
	[CAUSE_AFTER_FREE] = N_("{thread} {does} freed memory, allocated in "
				"line {made} and freed in line {freed}{; "
				"line}"),
	[CAUSE_HOST_MEMORY] = N_("{thread} {does} host memory: the kernel was "
				 "passed a host pointer{; line}"),
	[CAUSE_OTHER_DEVICE] = N_("{thread} {does} memory of device "
				  "{memory_of}, allocated in line {made}: "
				  "device {kernel_on} needs "
				  "cudaDeviceEnablePeerAccess() first{; line}"),
	[CAUSE_SHARED_NONE] = N_("{thread} {does} {word}, dynamic shared "
				 "memory, but the launch gives no size: use "
				 "<<<grid, block, bytes>>>{; line}"),
	[CAUSE_UNWRITTEN] = N_("{thread} {does} {elements}, which no thread of "
			       "the block has written{; line}"),
	[CAUSE_NEVER_WRITTEN] = N_("{thread} reads {element}{ in line}, which "
				   "was never written since its allocation in "
				   "line {made}: initialize it first, for "
				   "example with cudaMemset()"),
	[CAUSE_NEVER_SET] = N_("{thread} reads {element}{ in line}; no element "
			       "of this array was written since its allocation "
			       "in line {made}: results computed from it are "
			       "meaningless"),
	[CAUSE_PADDING] = N_("{thread} {does} {element}{ in line}, which is in "
			     "the padding of row {row}: a row has {columns} "
			     "elements, and cudaMallocPitch() in line {made} "
			     "returned a pitch of {apart} bytes"),
	[CAUSE_UNWRITTEN_REGISTER] = N_("{thread} {does} {elements}, which it "
		"has never written{; line}"),
	[CAUSE_UNSET_VARIABLE] = N_("{thread} reads {elements}{ in line}, to "
		"which nothing has given a value since its declaration in line "
		"{declared}"),
	[CAUSE_SHARED_SAME] = N_("{thread} reads {word}{ in line} where {other} "
		"stored a value of {why}{ in other line}: both arrays begin at "
		"the same byte, as all extern __shared__ arrays of a kernel "
		"do"),
	[CAUSE_COPIED_SHORT] = N_("{thread} reads {element}{ in line}, which "
		"nothing has written since it was allocated in line {made}: the "
		"copy in line {copy} wrote {copied} of {whole} bytes"),
	[CAUSE_HEAP_OVERRUN] = N_("{thread} {does} {bytes} bytes at byte {past} "
		"of memory of the device's heap, which has {room} bytes; the "
		"kernel allocated it in line {made}{; line}"),
	[CAUSE_READ_EARLY] = N_("{thread} reads {element}{ in line}, while the "
		"asynchronous copy that {other} started{ in other line} may "
		"still write it"),
	[CAUSE_SUMS_UNWRITTEN] = N_("{thread} calls wgmma with accumulators "
				    "that it has never written{; line}"),
	[CAUSE_WGMMA_EARLY] = N_("{thread} {does} {accumulators}, which a "
		"wgmma may still write: wgmma_wait_group() must come "
		"first{; line}"),
	[CAUSE_UNORDERED] = N_("{other} {other does} {element}{ in other line} "
		"and {thread} {does} it{ in line}, with no barrier between "
		"them"),
	[CAUSE_UNORDERED_BLOCKS] = N_("{other} {other does} {element}"
		"{ in other line} and {thread} {does} it{ in line}: nothing "
		"orders the two blocks"),
	[CAUSE_WRITTEN_EARLY] = N_("{thread} writes {element}{ in line}, while "
		"what {other} started{ in other line} may still read it"),
	[CAUSE_WRITTEN_TWICE] = N_("{thread} writes {element}{ in line}, while "
		"the asynchronous copy that {other} started{ in other line} "
		"may still write it"),
	[CAUSE_READ_UNFENCED] = N_("{thread} reads {element}{ in line} by TMA "
				   "or wgmma, which might not see what {other} "
				   "stored{ in other line}: call "
				   "fence_proxy_async() after the store"),
	[CAUSE_WRITTEN_UNFENCED] = N_("{thread} writes {element}{ in line} by "
				      "TMA, which might not come after what "
				      "{other} stored{ in other line}: call "
				      "fence_proxy_async() after the store"),
	[CAUSE_MBARRIER_UNORDERED] = N_("{thread} uses {mbarrier}, which "
		"{other} may not have initialized yet{ in other line}: nothing "
		"orders the two{; line}"),
	[CAUSE_MBARRIER_UNFENCED] = N_("{thread} uses {mbarrier}, and might "
				       "not see that {other} has initialized "
				       "it{ in other line}: call "
				       "fence_mbarrier_init() after the "
				       "initialization{; line}"),
	[CAUSE_BOX_OUTLIVES] = N_("{thread} starts a TMA load that signals "
		"{mbarrier}, but the block ends{ in other line} without "
		"waiting for it{; line}"),
	[CAUSE_ARRIVAL_OUTLIVES] = N_("{thread} arrives at {mbarrier}, but the "
		"block may have ended by then{ in other line}: nothing makes "
		"it wait{; line}"),
	[CAUSE_TMA_STORE_UNREAD] = N_("{thread} ends before its TMA store has "
				      "read shared memory, which another block "
				      "may reuse then{; line}"),
	[CAUSE_WGMMA_UNFENCED] = N_("{thread} calls wgmma, which might not see "
				    "the values of registers: call "
				    "wgmma_fence() before the first wgmma{; "
				    "line}"),
	[CAUSE_WGMMA_UNFINISHED] = N_("{thread} ends before its wgmma is done: "
		"wgmma_commit_group() and wgmma_wait_group() must come "
		"first{; line}"),
	[CAUSE_BARRIER_ENDED] = N_("only {waiting} of {threads} threads of "
		"block {block} reach the barrier{ in line}: {other} has ended"
		"{, last in other line}"),
	[CAUSE_BARRIER_ELSEWHERE] = N_("only {waiting} of {threads} threads of "
		"block {block} reach the barrier{ in line}: {other} waits "
		"elsewhere{, last in other line}"),
	[CAUSE_LANES_MISSING] = N_("{thread} waits at {word}{ in line}; lanes "
		"of its warp that never arrive: {missing}, such as "
		"{other}{, which waits at other word}{ in other line}"),
	[CAUSE_LANES_FEW] = N_("{thread} calls {word}, which needs all 32 "
			       "lanes of a warp, but only {lanes} called it{; "
			       "line}"),
	[CAUSE_MASK_WITHOUT_SELF] = N_("{thread} calls {word} with the mask "
		"{mask}, which leaves out its own lane{; line}"),
	[CAUSE_SHUFFLE_FROM_NONE] = N_("{thread} reads by {word} from lane "
				       "{lane}, which does not take part{; "
				       "line}"),
	[CAUSE_NAMED_BARRIER] = N_("{thread} waits at barrier {barrier} for "
		"{threads} threads, of which {missing} never arrive{; line}"),
	[CAUSE_WGMMA_MISSING] = N_("{thread} waits at wgmma for {threads} "
		"threads, of which {missing} never arrive{; line}"),
	[CAUSE_WGMMA_OPERANDS] = N_("{thread} calls wgmma with operands that "
		"differ from those of {other} in its warpgroup{; line}"),
	[CAUSE_CLUSTER_MISSING] = N_("{thread} waits for all threads of its "
		"cluster, of which some never arrive{; line}"),
	[CAUSE_MBARRIER_WAIT] = N_("{thread} waits for phase {phase} of "
		"{mbarrier}, which never completes: {arrived} of {arrivals} "
		"arrivals, {bytes_arrived} of {bytes_expected} bytes{; line}"),
	[CAUSE_SPIN] = N_("{thread} spins on {element}{ in line}, which will "
			  "not change: no thread that is resident at the same "
			  "time writes it"),
	[CAUSE_SPIN_HOST] = N_("{thread} spins on {element}{ in line}, which "
			       "will not change: no thread that is resident at "
			       "the same time writes it, nor does the host "
			       "before it waits for the kernel{ in host's "
			       "line}"),
	[CAUSE_ENDLESS_STEPS] = N_("step limit of {limit} reached: either a "
				   "loop is endless, or --max-events is too "
				   "low; {thread} was running{ in line}"),
	[CAUSE_ENDLESS_SECONDS] = N_("time limit of {seconds} s reached: "
				     "either a loop is endless, or --seconds "
				     "is too low; {thread} was running{ in "
				     "line}"),
	[CAUSE_ENDLESS_IDLE] = N_("{thread} has run an empty loop for a second"
		"{ in line}: an endless loop"),
	[CAUSE_ENDLESS_EVENTS] = N_("event limit of {limit} reached, mostly by "
				    "{thread}: either a loop is endless, or "
				    "--max-events is too low; it was running{ "
				    "in line}"),
	[CAUSE_ENDLESS_MEMORY] = N_("{events} events, most of them of "
				    "{thread}, fill the memory for one block: "
				    "either a loop is endless, or the block is "
				    "too large; it was running{ in line}"),
	[CAUSE_ENDLESS_THREAD] = N_("event limit reached: either a loop is "
				    "endless, or --max-events is too low; "
				    "{thread} was running{ in line}"),
	[CAUSE_CAP_EVENTS] = N_("recording stopped at the limit of {limit} "
		"events: {complete} of {blocks} blocks are complete; of the "
		"{threads} threads of block {block}, {ended} had ended; "
		"thread {index} was running{ in line}"),
	[CAUSE_CAP_MEMORY] = N_("recording stopped at {events} events, the "
				"memory limit of one block: {complete} of "
				"{blocks} blocks are complete; of the "
				"{threads} threads of block {block}, {ended} "
				"had ended; thread {index} was running{ in "
				"line}"),
	[CAUSE_CAP_BLOCKS] = N_("recording stopped at the limit of {limit} "
		"events: {complete} of {blocks} blocks are complete"),
	[CAUSE_MISALIGNED] = N_("{thread} {does} {bytes} bytes at once at "
		"{element}, which is not aligned to {bytes} bytes: a GPU "
		"stops here{; line}"),
	[CAUSE_STACK_OVERFLOW] = N_("{thread} overflows its stack, as in "
		"endless recursion{; line}"),
	[CAUSE_DIVISION_BY_ZERO] = N_("{thread} divides by zero: "
		"a GPU goes on, with all bits of the quotient set{; line}"),
	[CAUSE_INVALID_MEMORY] = N_("{thread}: invalid memory access{; line}"),
	[CAUSE_ILLEGAL_INSTRUCTION] = N_("{thread}: illegal instruction"
		"{; line}"),
	[CAUSE_TRAP] = N_("{thread} calls __trap(): a GPU stops here{; line}"),
	[CAUSE_ASSERT] = N_("{thread} fails in assert({word}): a GPU stops here"
		"{; line}"),
	[CAUSE_WMMA_PITCH] = N_("{thread} breaks a rule: wmma needs a leading "
		"dimension that is a multiple of {pitch} bytes{; line}"),
	[CAUSE_WMMA_ALIGN] = N_("{thread} breaks a rule: wmma needs an address "
		"that is a multiple of {align} bytes{; line}"),
	[CAUSE_BYTES_ALIGN] = N_("{thread}: the programming guide asks for an "
		"address of a fragment that is a multiple of {align} bytes; "
		"of bytes a GPU takes multiples of 16{; line}"),
	[CAUSE_LDMATRIX_SPACE] = N_("{thread} breaks a rule: ldmatrix reads "
		"shared memory only{; line}"),
	[CAUSE_STMATRIX_SPACE] = N_("{thread} breaks a rule: stmatrix writes "
		"shared memory only{; line}"),
	[CAUSE_COPY_FROM_SPACE] = N_("{thread} copies asynchronously from "
		"memory that is not global: a GPU stops here{; line}"),
	[CAUSE_COPY_TO_SPACE] = N_("{thread} copies asynchronously to memory "
		"that is not shared: a GPU stops here{; line}"),
	[CAUSE_COPY_BYTES] = N_("{thread} copies asynchronously a size other "
		"than 4, 8 or 16 bytes: a GPU stops here{; line}"),
	[CAUSE_COPY_ZEROS] = N_("{thread} fills an asynchronous copy with more "
		"zeros than it has bytes: a GPU stops here{; line}"),
	[CAUSE_TMA_SPACE] = N_("{thread} gives TMA a shared memory address "
			       "that is outside shared memory: a GPU stops "
			       "here{; line}"),
	[CAUSE_TMA_ALIGN] = N_("{thread} gives TMA a shared memory address "
		"that is not aligned to 128 bytes: a GPU stops here{; line}"),
	[CAUSE_TMA_MULTICAST] = N_("{thread} multicasts by TMA to blocks "
		"outside its cluster: a GPU stops here{; line}"),
	[CAUSE_WGMMA_SPACE] = N_("{thread} breaks a rule: an operand of wgmma "
		"must be in shared memory{; line}"),
	[CAUSE_WGMMA_START] = N_("{thread} breaks a rule: an operand of wgmma "
		"begins in the first of 8 rows, at a multiple of 16 bytes"
		"{; line}"),
	[CAUSE_WGMMA_GROUP] = N_("{thread} breaks a rule: wgmma is for whole "
		"warpgroups of 128 threads{; line}"),
	[CAUSE_NAMED_BARRIER_NUMBER] = N_("{thread} breaks a rule: barriers "
		"have numbers from 1 to 15{; line}"),
	[CAUSE_NAMED_BARRIER_WARPS] = N_("{thread} breaks a rule: a barrier is "
		"for whole warps of the block{; line}"),
	[CAUSE_NAMED_BARRIER_COUNT] = N_("{thread} breaks a rule: all threads "
		"that come to a barrier must name the same number of threads"
		"{; line}"),
	[CAUSE_CLUSTER_ARRIVE] = N_("{thread} breaks a rule: cluster_wait() "
				    "must come between one cluster_arrive() "
				    "and the next{; line}"),
	[CAUSE_CLUSTER_WAIT] = N_("{thread} breaks a rule: cluster_arrive() "
				  "must come before cluster_wait(){; line}"),
	[CAUSE_CLUSTER_STORE] = N_("{thread} accesses an address outside the "
				   "shared memory of its cluster's blocks{; "
				   "line}"),
	[CAUSE_CLUSTER_OUTLIVES] = N_("{thread} uses {element} of another "
				      "block of its cluster{ in line}, which "
				      "may have ended by then: make that block "
				      "wait, for example with cluster.sync()"),
	[CAUSE_FREE_OTHER] = N_("{thread} frees memory that neither malloc() "
				"nor new allocated in a kernel{; line}"),
	[CAUSE_FREE_TWICE] = N_("{thread} frees memory that was already freed "
				"in line {freed}{; line}"),
	[CAUSE_MBARRIER_RANK] = N_("{thread} uses {mbarrier} of a block "
				   "outside its cluster{; line}"),
	[CAUSE_MBARRIER_ENDED] = N_("{thread} uses {mbarrier}, but that block "
		"has ended and has not initialized one there{; line}"),
	[CAUSE_MBARRIER_NONE] = N_("{thread} uses {mbarrier}, which was never "
				   "initialized{; line}"),
	[CAUSE_MBARRIER_NO_ARRIVALS] = N_("{thread} initializes {mbarrier} "
		"with an arrival count of zero{; line}"),
	[CAUSE_MBARRIER_OVERRUN] = N_("{thread} uses {mbarrier}, at which more "
		"threads arrive in a phase than it was initialized for"
		"{; line}"),
	[CAUSE_WRONG_ELEMENT] = N_("{result} is {got}, but must be {expected}; "
		"{wrong} of {all} elements of {array} are wrong{ if}"),
	[CAUSE_NO_NUMBER] = N_("{result} was never written or is NaN, but must "
		"be {expected}; {wrong} of {all} elements of {array} are "
		"wrong{ if}"),
	[CAUSE_UNTOUCHED] = N_("no thread writes {region} of {array}: "
		"{unwritten} of its {extent}"),
	[CAUSE_ADDED_TO] = N_("{result} is {got}, but must be {expected}: the "
		"kernel reads {array}{ in line} and adds to what it held "
		"before; {wrong} of {all} elements are wrong"),
	[CAUSE_UNORDERED_LANES] = N_("{other} {other does} {element}"
		"{ in other line} and {thread} {does} it{ in line}, with no "
		"__syncwarp() between them: lanes of a warp need not run in "
		"step, and {pairs} pairs of lines from {first_line} to "
		"{last_line} race like this"),
	[CAUSE_UNORDERED_LINES] = N_("{other} {other does} {element}"
		"{ in other line} and {thread} {does} it{ in line}, with no "
		"barrier between them; {pairs} pairs of lines from "
		"{first_line} to {last_line} race like this"),
	[CAUSE_HEADER_MISSING] = N_("the header {word} was not found and was "
				    "skipped: its definitions are missing{; "
				    "line}"),
	[CAUSE_HEADER_BROKEN] = N_("the header {word} does not compile and was "
				   "skipped: its definitions are missing "
				   "({why})"),
	[CAUSE_OUTSIDE_ASSUMED] = N_("{thread} {does} {element}, beyond the "
				     "assumed size of {array}, {extent}: "
				     "--array {array}=SIZE sets its size{; "
				     "line}"),
	[CAUSE_BEYOND_ASSUMED] = N_("{thread} {does} {element}, beyond the "
		"{assumed} elements that {array} was first assumed to have, so "
		"it was recorded with {extent}: out of bounds if it has fewer "
		"(--array {array}=SIZE){; line}"),
	[CAUSE_BEFORE_ASSUMED] = N_("{thread} {does} {before} elements before "
		"{array}[0]: it was recorded as if {array} pointed into the "
		"middle of an array; out of bounds if it does not{; line}"),
	[CAUSE_CAP_SECONDS] = N_("recording stopped at the time limit of "
				 "{seconds} s: {complete} of {blocks} blocks "
				 "are complete; {thread} was running{ in line} "
				 "(--seconds raises the limit)"),
	[CAUSE_CAP_STEPS] = N_("recording stopped at the limit of {limit} "
			       "steps: {complete} of {blocks} blocks are "
			       "complete; of the {threads} threads of block "
			       "{block}, {ended} had ended; thread {index} was "
			       "running{ in line} (--max-events raises the "
			       "limit)"),
	[CAUSE_CAP_THREAD] = N_("{thread} reached its limit of events and was "
				"stopped{ in line} (--max-events raises the "
				"limit)"),
	[CAUSE_GRID_MISSING] = N_("{thread} waits at grid.sync() for all "
				  "{blocks} blocks of the grid, but {missing} "
				  "of them ended without calling it{; line}"),
	[CAUSE_GRID_LARGE] = N_("{thread} waits at grid.sync() for all "
				"{blocks} blocks of the grid, but only {limit} "
				"can be resident at once{; line}"),
	[CAUSE_GRID_PLAIN] = N_("{thread} calls grid.sync() in a launch that "
				"is not cooperative (use "
				"cudaLaunchCooperativeKernel()): a GPU stops "
				"here{; line}"),
	[CAUSE_ENDLESS_LOOP] = N_("{thread} is in an endless loop{ in line}: "
				  "nothing that the loop reads changes"),
};
