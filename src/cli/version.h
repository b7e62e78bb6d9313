/* version: which gemmviz this is. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* Prints the version and what was built in; returns an exit status. */
int version_print(void);

#endif
