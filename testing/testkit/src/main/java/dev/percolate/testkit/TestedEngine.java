package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;

/** Starts a tested engine, and states what it supports. */
abstract class TestedEngine {

  /**
   * Returns the tested thread mode.
   *
   * @return the thread mode
   */
  protected abstract ThreadMode threads();

  /**
   * Starts the tested engine in the tested thread mode.
   *
   * @param service the service to run
   * @return a client of the service. Closing the client stops the engine
   * @throws Exception to fail the test
   */
  protected abstract Client serve(Service service) throws Exception;

  /**
   * Returns true if header names keep the letter case that the client used.
   *
   * @return false if the engine changes it
   */
  protected boolean keepsNames() {
    return true;
  }

  /**
   * Returns true if headers of different names keep the order in which the client sent them.
   *
   * @return false if the engine changes it
   */
  protected boolean keepsOrder() {
    return true;
  }

  /**
   * Returns true if the engine sends the {@code Content-Type} of a response unchanged.
   *
   * @return false if the engine changes spaces or the letter case
   */
  protected boolean keepsTypes() {
    return true;
  }

  /**
   * Returns true if the engine itself rejects invalid request heads.
   *
   * @return false if the engine does not parse heads, or a server in front of it rejects them
   */
  protected boolean rejectsHeads() {
    return true;
  }

  /**
   * Returns the maximum number of bytes that the engine and the connection buffer in one direction
   * if the other side does not read. Includes the socket buffers.
   *
   * @return the number of bytes
   */
  protected long maxHeld() {
    return 16L << 20;
  }

  /**
   * Returns true if the engine detects a disconnected client while no handler reads or writes.
   *
   * @return false if only reads and writes detect it
   */
  protected boolean noticesDisconnects() {
    return true;
  }

  /**
   * Returns true if the engine supports upgrades.
   *
   * @return false if no exchange is ever upgradable
   */
  protected boolean upgrades() {
    return true;
  }

  /**
   * Returns the HTTP version of requests, such as {@code 1.1}.
   *
   * @return the version
   */
  protected String version() {
    return "1.1";
  }

  /**
   * Returns true if the engine closes the connection of a rejected request, and announces it with
   * {@code Connection: close}.
   *
   * @return false if the connection can be used for further requests
   */
  protected boolean rejectionsClose() {
    return true;
  }
}
