package io.tsdbsuite.rollup.cli;

/**
 * The options that rollup-job and verify share. They are three mixins, because {@code --help} lists
 * options of the command itself between them.
 */
record CommonOptions(InputOptions input, ChoiceOptions choice, TaskOptions tasks) {}
