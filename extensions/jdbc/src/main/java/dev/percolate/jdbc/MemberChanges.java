package dev.percolate.jdbc;

import dev.percolate.core.store.MemberStore.Lease;
import dev.percolate.core.store.MemberStore.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Collects the changes of several threads while others are stored, and stores them together. So
 * thousands of clients that connect at the same time need few transactions. Thread-safe.
 */
final class MemberChanges {

  /**
   * The maximum number of changes in one transaction, each of which holds a lock. PostgreSQL shares
   * 64 locks per connection among all databases, and a server has at least two connections.
   */
  private static final int MOST = 100;

  private final Storage storage;
  private final Queue<Change> waiting = new ConcurrentLinkedQueue<>();

  /** Held while changes are stored. */
  private final ReentrantLock storing = new ReentrantLock();

  /** Stores changes of different members. */
  @FunctionalInterface
  interface Storage {

    /** Returns the members that have joined or left their rooms on all servers. */
    Set<Member> store(List<Change> changes) throws IOException;
  }

  /** A member that joins or leaves. Its result is guarded by the lock. */
  static final class Change {

    final boolean joins;
    final Lease lease;
    final Member member;
    private boolean done;
    private boolean news;
    private @Nullable Throwable failure;

    Change(boolean joins, Lease lease, Member member) {
      this.joins = joins;
      this.lease = lease;
      this.member = member;
    }

    private void fail(Throwable cause) {
      failure = cause;
      done = true;
    }
  }

  MemberChanges(Storage storage) {
    this.storage = storage;
  }

  /**
   * Stores a change, and returns true if the user has joined the room, or left it.
   *
   * @throws IOException if the database rejects the change or fails. If it fails, all changes that
   *     wait fail, so that none of them waits for several timeouts
   */
  boolean store(Change change) throws IOException {
    waiting.add(change);
    storing.lock();
    try {
      while (!change.done) {
        storeNext(change);
      }
    } finally {
      storing.unlock();
    }
    if (change.failure != null) {
      throw new IOException(change.failure.getMessage(), change.failure);
    }
    return change.news;
  }

  private void storeNext(Change own) {
    List<Change> batch = nextBatch();
    try {
      storeTogether(batch);
    } catch (Throwable e) { // otherwise the other threads would wait for ever
      batch.removeIf(one -> one.done);
      waiting.addAll(batch);
      if (Thread.currentThread().isInterrupted()) {
        own.fail(e); // the other threads store their changes
        waiting.remove(own);
      } else {
        for (Change one = waiting.poll(); one != null; one = waiting.poll()) {
          one.fail(e);
        }
      }
    }
  }

  private void storeTogether(List<Change> batch) throws IOException {
    try {
      attempt(batch);
    } catch (StatementRejectedException | RuntimeException e) {
      for (Change one : batch) {
        try {
          attempt(List.of(one));
        } catch (StatementRejectedException | RuntimeException rejected) {
          one.fail(rejected);
        }
      }
    }
  }

  private void attempt(List<Change> batch) throws IOException {
    Set<Member> news = storage.store(batch);
    for (Change one : batch) {
      one.news = news.contains(one.member);
      one.done = true;
    }
  }

  /** Returns waiting changes, of each member the first one. */
  private List<Change> nextBatch() {
    List<Change> batch = new ArrayList<>();
    List<Change> later = new ArrayList<>();
    Set<Member> members = new HashSet<>();
    while (batch.size() < MOST) {
      Change one = waiting.poll();
      if (one == null) {
        break;
      }
      (members.add(one.member) ? batch : later).add(one);
    }
    waiting.addAll(later);
    return batch;
  }
}
