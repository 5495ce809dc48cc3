/**
 * The nightly snapshots of OpenTSDB's tables: their names, and the rules of HBase's manifests that
 * programs with and without HBase's classes need.
 */
package io.tsdbsuite.format.snapshot;
