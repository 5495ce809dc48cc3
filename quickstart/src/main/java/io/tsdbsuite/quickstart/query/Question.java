package io.tsdbsuite.quickstart.query;

/**
 * What a dashboard asks of all series together.
 *
 * @param name the downsampler, for example {@code 1h-avg}
 * @param aggregator joins the series, for example {@code avg}
 * @param exact whether answers from rollups must be the same bits; if not, to 1e-9 relative
 */
public record Question(String name, String aggregator, boolean exact) {}
