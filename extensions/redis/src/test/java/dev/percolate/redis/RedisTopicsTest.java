package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.TopicBus;
import dev.percolate.testkit.TopicBusContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the contract of topic buses on a real Redis, through two connections. */
final class RedisTopicsTest extends TopicBusContract {

  private static RedisServer server;
  private static Redis redis;
  private static Redis second;

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.start();
    redis = server.client("test");
    second = server.client("test");
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
    second.close();
    server.close();
  }

  @Override
  protected TopicBus bus() {
    return redis.topics();
  }

  @Override
  protected TopicBus other() {
    return second.topics();
  }

  @Test
  void aTopicThatStoresNothingHasNoStreamAndItsKeyExpires() throws Exception {
    RedisConnection connection = redis.connection();
    for (int room = 0; room < 20; room++) {
      String name = "room-" + room + System.nanoTime();
      List<Long> ids = new CopyOnWriteArrayList<>();
      AutoCloseable joined = redis.topics().subscribe(name, 0, message -> ids.add(message.id()));
      long first = redis.topics().publish(name, "1", 0);
      long second = second().publish(name, "2", 0);
      assertTrue(first < second, first + ", " + second);
      joined.close();
      String key = connection.key("t", name);
      assertEquals("string", connection.call(List.of("TYPE"), key, List.of()));
      Object life = connection.call(List.of("TTL"), key, List.of());
      assertTrue(life instanceof Long seconds && seconds > 0 && seconds <= 60, "" + life);
    }
    awaitNoChannel("test:t:*");
  }

  @Test
  void aTopicCanStartAndStopStoringMessages() throws Exception {
    String name = "change-" + System.nanoTime();
    long first = redis.topics().publish(name, "1", 0);
    long second = redis.topics().publish(name, "2", 5);
    List<String> kept = new CopyOnWriteArrayList<>();
    redis.topics().subscribe(name, 0, message -> kept.add(message.json())).close();
    assertEquals(List.of("2"), kept);
    awaitNoChannel(
        redis.connection().key("t", name)); // otherwise the next message might be delayed
    long third = redis.topics().publish(name, "3", 0);
    assertTrue(first < second && second < third, first + ", " + second + ", " + third);
    List<String> left = new CopyOnWriteArrayList<>();
    redis.topics().subscribe(name, 0, message -> left.add(message.json())).close();
    assertEquals(List.of(), left);
  }

  @Test
  void aLostMessageIsReadBeforeTheNextOne() throws Exception {
    String name = "gap-" + System.nanoTime();
    String key = redis.connection().key("t", name);
    List<String> heard = new CopyOnWriteArrayList<>();
    AutoCloseable listening = redis.topics().subscribe(name, 0, m -> heard.add(m.json()));
    long last = redis.topics().publish(name, "1", 100);
    for (int round = 0; round < 3; round++) {
      server.say("XADD", key, (last + 1) + "-0", "j", "lost-" + round);
      last = second().publish(name, "next-" + round, 100);
    }
    List<String> all = List.of("1", "lost-0", "next-0", "lost-1", "next-1", "lost-2", "next-2");
    awaitSize(heard, all.size());
    listening.close();
    assertEquals(all, heard);
  }

  @Test
  void aMasterThatLacksTheNewestMessageRepeatsNone() throws Exception {
    String name = "failover-" + System.nanoTime();
    String key = redis.connection().key("t", name);
    List<String> heard = new CopyOnWriteArrayList<>();
    AutoCloseable listening = redis.topics().subscribe(name, 0, m -> heard.add(m.json()));
    long first = redis.topics().publish(name, "1", 100);
    long second = redis.topics().publish(name, "2", 100);
    Object lost = redis.topics().publish(name, "lost", 100);
    awaitSize(heard, 3);
    server.say("DEL", key);
    server.say("XADD", key, first + "-0", "j", "1");
    server.say("XADD", key, second + "-0", "j", "2");
    server.say("XADD", key, (second + 1) + "-0", "j", "by a slow clock");
    server.say("CLIENT", "KILL", "TYPE", "PUBSUB");
    awaitSize(heard, 4);
    long next = second().publish(name, "next", 100);
    awaitSize(heard, 5);
    listening.close();
    assertEquals(List.of("1", "2", "lost", "by a slow clock", "next"), heard);
    assertTrue(next > second + 1, next + " after " + lost);
  }

  @Test
  void anEarlyListenerContinuesWhenAnotherSubscribes() throws Exception {
    String name = "joined-" + System.nanoTime();
    List<String> heard = new CopyOnWriteArrayList<>();
    AutoCloseable listening = redis.topics().subscribe(name, -1, m -> heard.add(m.json()));
    server.say("XADD", redis.connection().key("t", name), "1-0", "j", "lost");
    AutoCloseable another = redis.topics().subscribe(name, 0, message -> {});
    long ignored = redis.topics().publish(name, "next", 100);
    awaitSize(heard, 2);
    another.close();
    listening.close();
    assertEquals(List.of("lost", "next"), heard);
  }

  @Test
  void moreTopicsThanLettuceQueuesAreSubscribedAgainAndLeft() throws Exception {
    int topics = 1500;
    List<String> heard = new CopyOnWriteArrayList<>();
    List<AutoCloseable> listening = new ArrayList<>();
    try (Redis many = server.client("many")) {
      for (int i = 0; i < topics; i++) {
        listening.add(many.topics().subscribe("" + i, 0, m -> heard.add(m.json())));
      }
      server.say("CLIENT", "KILL", "TYPE", "PUBSUB");
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (server.say("PUBSUB", "CHANNELS", "many:t:*").lines().count() < topics) {
        assertTrue(System.nanoTime() < end, "channels are missing");
        Thread.sleep(20);
      }
      for (int i = 0; i < topics; i++) {
        long ignored = many.topics().publish("" + i, "1", 0);
      }
      awaitSize(heard, topics);
      assertEquals(topics, heard.size());
      for (AutoCloseable one : listening) {
        one.close();
      }
      awaitNoChannel("many:t:*");
    }
  }

  private static void awaitNoChannel(String names) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!server.say("PUBSUB", "CHANNELS", names).isEmpty()) {
      assertTrue(System.nanoTime() < end, "channels without listeners remain");
      Thread.sleep(20);
    }
  }

  private static void awaitSize(List<String> heard, int size) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (heard.size() < size && System.nanoTime() < end) {
      Thread.sleep(10);
    }
  }

  private static TopicBus second() {
    return second.topics();
  }
}
