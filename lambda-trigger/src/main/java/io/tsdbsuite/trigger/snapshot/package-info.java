/**
 * Checks that an exported snapshot is complete: reads its manifest and compares the listed HFiles
 * with the objects on S3.
 */
@NullMarked
package io.tsdbsuite.trigger.snapshot;

import org.jspecify.annotations.NullMarked;
