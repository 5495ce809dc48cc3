/** What a load was asked to do. */
package io.tsdbsuite.bulk.settings;
