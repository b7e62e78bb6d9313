# A program with a main(): its launches are recorded as it makes them, its
# results are right, and what its host does wrong is found.
. "$srcdir/tests/tap.sh"

programs=$srcdir/tests/programs
run() { "$builddir/gemmviz" run "$@" 2>&1; }

got=$(run "$programs/vector_add.cu")
is $? 0 "a program without faults ends with 0"
like "$got" '^\| PASS$' "its own check passes"
like "$got" '1  vector_add.cu:28  vectorAdd  <<<196, 256>>>  recorded' \
	"its launch is listed as it is"
like "$got" 'vector_add.cu:24: d_C \(200000 bytes\) is never freed' \
	"a leak is named"

got=$("$builddir/gemmviz" report "$programs/vector_add.cu")
like "$got" '^vectorAdd, grid 196 x 1 x 1, block 256 x 1 x 1' \
	"a report is of the program's launch"
like "$got" 'n +int +50000 +the program' "with the arguments that it passes"
like "$got" 'B +const float \* +50000 +0..99998' "and the data"

got=$(run "$programs/matmul.cu" 48)
is $? 0 "templates, namespaces, variables and managed memory"
like "$got" '^\| PASS 2304$' "give right results at the size of the argument"
like "$got" '3  matmul.cu:69  matmul<float, 16>  <<<3x3, 16x16>>>$' \
	"a kernel's third launch is listed"
like "$got" 'all  <<<18, 128, 512>>>  recorded' "with its dynamic shared memory"
got=$(run --launch 2 "$programs/matmul.cu" 32)
like "$got" '2  matmul.cu:69  .*recorded$' "--launch picks one"
is "$(echo "$got" | grep -c recorded)" 1 "and no other"

got=$("$builddir/gemmviz" report "$programs/matmul.cu" --entry all \
	--block 128 --grid 1 --shared 512 2>&1)
like "$got" '^all, .*grid 1 x 1 x 1, block 128' \
	"options of a launch record one kernel, as ever"

# fault NAME STATUS PATTERN
fault() {
	got=$(run "$programs/faults.cu" "$1")
	is $? "$2" "$1: status $2"
	like "$got" "$3" "$1 is said"
}
fault read 1 'faults.cu:21: the host reads the device.s memory device'
fault write 1 'faults.cu:23: the host writes to the device.s memory device'
fault direction 1 'faults.cu:25: cudaMemcpyHostToDevice: the destination is the host'
fault large 1 'faults.cu:27: cudaMemcpy reaches byte 260 of device \(256'
fault launch 1 'faults.cu:29: fill failed, and the program never asks'
fault host 1 "in the host's memory: the kernel was passed a pointer"
fault bounds 1 'writes to\[64\]; to has 64 elements; line 9'
fault null 1 'through a null pointer; line 9'
fault after 1 'allocated in line 18 and freed in line 48; line 9'
fault twice 1 'faults.cu:52: cudaFree: other was freed at faults.cu:48'
fault leak 0 'faults.cu:17: device \(256 bytes\) is never freed'
fault status 0 'the program ended with status 7'
fault time 0 '^\| -?nan ms$'
fault forge 0 '^\| faults.cu: the program ended with status 0$'
is "$(echo "$got" | tr -d -c '\033')" "" "its output reaches no terminal"

done_testing
