package io.tsdbsuite.bulk.settings;

/** All that a load was asked to do. */
public record LoadSettings(
    TsdSettings tsd, InputSettings input, WriteSettings write, RunSettings run) {}
