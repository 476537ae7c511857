/** Records requests and responses of an application, and replays them as tests. */
package dev.percolate.testkit.replay;
