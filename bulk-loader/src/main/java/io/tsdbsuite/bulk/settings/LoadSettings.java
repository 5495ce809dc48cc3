package io.tsdbsuite.bulk.settings;

/** All settings of a load on one machine. */
public record LoadSettings(
    TsdSettings tsd, InputSettings input, WriteSettings write, RunSettings run) {}
