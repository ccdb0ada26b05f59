// glibc keeps the resolver's state behind a macro, and resolv.h is not in Swift's module of it.
#include "CSegue.h"

#include <resolv.h>

int segue_read_name_servers(void) { return res_init(); }
