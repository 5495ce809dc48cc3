package io.tsdbsuite.synthetic.text;

import java.nio.file.Path;

/**
 * A file that was written.
 *
 * @param lines number of lines, one for each point
 * @param bytes bytes of text before compression
 */
public record TextFile(Path path, long lines, long bytes) {}
