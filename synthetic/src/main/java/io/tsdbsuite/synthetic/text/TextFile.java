package io.tsdbsuite.synthetic.text;

import java.nio.file.Path;

/**
 * A file that was written.
 *
 * @param lines its points
 * @param bytes of text, before compression
 */
public record TextFile(Path path, long lines, long bytes) {}
