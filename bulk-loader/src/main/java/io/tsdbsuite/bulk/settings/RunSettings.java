package io.tsdbsuite.bulk.settings;

import io.tsdbsuite.bulk.progress.ProgressMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the process: directories, threads, memory, progress.
 *
 * @param workDir for runs, the journal and rejected lines
 * @param threads for reading and for writing, at least 1
 * @param bufferBytes heap for the buffers of all threads, bytes
 * @param report another file for the report, null for none
 * @param keepWork whether runs stay after a load that is done
 */
public record RunSettings(
    Path workDir,
    int threads,
    long bufferBytes,
    ProgressMode progress,
    @Nullable Path report,
    boolean keepWork) {}
