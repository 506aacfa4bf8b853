"""Pi by adding up rectangles, some on each rank: python3 -c "$(cat pi.py)" RECTANGLES [ROUNDS]. It calls OpenMPI's library itself, so that nothing has to be compiled; after each round all ranks add up what they have."""

import ctypes
import sys
import time

mpi = ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)


def handle(name):
    return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, name)))


world, double, plus = handle("ompi_mpi_comm_world"), handle("ompi_mpi_double"), handle("ompi_mpi_op_sum")
rectangles = int(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
mpi.MPI_Init(None, None)
rank, ranks = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
mpi.MPI_Comm_size(world, ctypes.byref(ranks))
begun = time.monotonic()
own, whole = ctypes.c_double(), ctypes.c_double()
for _ in range(rounds):
    step = 1 / rectangles
    own.value = step * sum(4 / (1 + ((i + 0.5) * step) ** 2) for i in range(rank.value, rectangles, ranks.value))
    mpi.MPI_Allreduce(ctypes.byref(own), ctypes.byref(whole), 1, double, plus, world)
if rank.value == 0:
    print(f"pi is {whole.value:.9f} by {ranks.value} ranks: {time.monotonic() - begun:.3f} s, {time.process_time():.3f} s of the first rank's processor", flush=True)
mpi.MPI_Finalize()
