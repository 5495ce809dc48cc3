/** The S3 operations of the functions: read, list, conditional write and delete. */
@NullMarked
package io.tsdbsuite.trigger.s3;

import org.jspecify.annotations.NullMarked;
