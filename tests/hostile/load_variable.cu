// expect 8: refused: it tried to open a file
#include <fstream>
#include <string>
static std::string words = [] {
	std::ifstream f("/etc/passwd");
	std::string s;
	getline(f, s);
	return s;
}();
__global__ void f(float *A) { A[threadIdx.x] = 1; }
