/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches all behaviors within a {@link ModelBounds}, breadth first, so that it finds shortest counterexamples: messages
 * arrive late, twice or never, responses get lost, clocks differ, machines pause. The decisions of processes and the effects
 * of writes on a row are computed by the library's own functions.
 */
final class ModelChecker {

    private final Transitions moves;
    private final StateCodec codec;
    private final VisitedStates visited = new VisitedStates();

    private int from = -1;
    private @Nullable String violation;

    private ModelChecker(ModelBounds scope) {
        this.moves = new Transitions(scope);
        this.codec = new StateCodec(scope);
    }

    /** Explores the scope of {@link ModelSizes} with this name. */
    static @Nullable String explore(String name, LongConsumer worlds) {
        ModelBounds named = ModelSizes.all().stream()
                .filter(scope -> scope.name().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("There is no scope '%s'".formatted(name)));
        return explore(named, worlds);
    }

    /**
     * Explores a scope.
     *
     * @param worlds receives the number of distinct states
     * @return null without a violation; otherwise the violated invariant and its trace
     */
    static @Nullable String explore(ModelBounds scope, LongConsumer worlds) {
        ModelChecker explorer = new ModelChecker(scope);
        String violation = explorer.run(scope);
        worlds.accept(explorer.visited.count());
        return violation;
    }

    private @Nullable String run(ModelBounds scope) {
        for (int skew = 0; skew < scope.offsets().size(); skew++) {
            reached(new ModelState(scope, skew), () -> "");
        }
        for (int world = 0; world < visited.count() && violation == null; world++) {
            from = world;
            moves.from(codec.decode(visited.bytesOf(world)), this::reached);
        }
        return violation;
    }

    private void reached(ModelState world, Supplier<String> how) {
        if (violation != null) {
            return;
        }
        codec.encode(world);
        boolean added = visited.add(codec.bytes(), codec.length(), from);
        if (added && world.broken != null) {
            violation = world.broken + "\n" + traceTo(visited.count() - 1);
        }
    }

    private String traceTo(int last) {
        Deque<Integer> way = new ArrayDeque<>();
        for (int world = last; world >= 0; world = visited.parentOf(world)) {
            way.push(world);
        }
        StringBuilder trace = new StringBuilder();
        int before = way.pop();
        trace.append(codec.decode(visited.bytesOf(before)).start());
        for (int world : way) {
            trace.append("\n  ").append(labelOf(before, world));
            before = world;
        }
        return trace.append("\n  ").append(codec.decode(visited.bytesOf(last))).toString();
    }

    private String labelOf(int before, int after) {
        byte[] bytes = visited.bytesOf(after);
        StringBuilder label = new StringBuilder();
        moves.from(codec.decode(visited.bytesOf(before)), (world, how) -> {
            codec.encode(world);
            if (label.isEmpty() && codec.isLast(bytes)) {
                label.append("at ").append(world.time).append(": ").append(how.get());
            }
        });
        return label.toString();
    }
}
