package dev.percolate.demo;

/**
 * One notice on the board.
 *
 * @param id counts from 1
 * @param name who wrote it
 * @param text what it says
 */
record Notice(int id, String name, String text) {}
