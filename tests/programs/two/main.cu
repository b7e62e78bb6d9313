// Two files, a header in a folder of its own.
#include <fstream>
#include <iostream>
#include "half.h"

int main(int argc, char **argv)
{
    int *x, host[32];

    if (argc > 2) {
        std::ofstream out(argv[2]);
        out << "written\n";
    }
    if (argc > 1) {
        std::ifstream in(argv[1]);
        std::string word;
        in >> word;
        std::cout << "read " << word << std::endl;
    }
    cudaMallocManaged(&x, sizeof(host));
    run(x);
    cudaDeviceSynchronize();
    std::cout << "x[31] is " << x[31] << std::endl;
    cudaFree(x);
    try {
        throw 3;
    } catch (int n) {
        return n - 3;
    }
}
