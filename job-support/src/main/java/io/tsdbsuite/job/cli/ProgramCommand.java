package io.tsdbsuite.job.cli;

import picocli.CommandLine.Command;

/** What all commands have in common: {@code --help}, {@code --version}, the form of the help. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true)
public abstract class ProgramCommand {}
