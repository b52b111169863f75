#pragma once
#include "service/batch_run.hpp"

/// Batches over several machines (built with PROPHET_MPI=ON). MPI_Init_thread (MPI_THREAD_FUNNELED or more)
/// must have been called, and these functions are called by the thread that did.
namespace prophet {

/// runBatch over all ranks of MPI_COMM_WORLD. Every rank passes the same jobs and a service of its own (one
/// GPU each, say; localRank() tells which). Rank 0 keeps the list: it hands out jobs in shares that shrink
/// towards the end, writes the output, and computes too. Options, output and errors are those of runBatch on
/// rank 0; the summary and the progress calls come on rank 0 only. A rank that dies ends the run as MPI does;
/// --resume continues it.
BatchSummary runBatchMpi(EnergyService& service, const std::vector<BatchItem>& items,
                         const BatchOptions& options, const BatchProgress& progress = {});

/// Number of this rank among those of the same machine: the GPU to use.
int localRank();
bool isFirstRank();

}  // namespace prophet
