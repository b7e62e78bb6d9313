/* What a program writes: a line, and more when a file has come; or many. */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

__global__ void none()
{
}

static const char *awaited(const std::string &file)
{
    for (int i = 0; i < 1000; i++, usleep(10000))
        if (FILE *f = fopen(file.c_str(), "r")) {
            fclose(f);
            return "it came";
        }
    return "it never came";
}

int main(int argc, char **argv)
{
    printf("waiting\n");
    for (long lines = argc > 2 ? atol(argv[2]) : 0; lines; lines--)
        printf("%ld\n", lines);
    printf("%s\n", awaited(std::string(argv[1]) + "/go"));
    none<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
