/** Whether an exported snapshot is whole: its manifest is read and held against what is on S3. */
package io.tsdbsuite.trigger.snapshot;
