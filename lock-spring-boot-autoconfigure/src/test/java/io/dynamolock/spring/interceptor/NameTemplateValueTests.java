/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.AbstractCollection;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.EventObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values in lock names: their text must be the same in each process. */
class NameTemplateValueTests {

    @Test
    void rejectsValuesWhoseTextDiffersInEachProcess() {
        run((values, names) -> {
            assertRejected(values, new Object())
                    .withMessageContaining("evaluates to a value of type java.lang.Object, whose text has a hash code")
                    .withMessageContaining(", java.lang.Object@");
            assertRejected(values, new int[] {1});
            assertRejected(values, new String[][] {{"a"}});
            assertRejected(values, List.of("a", new Object())).withMessageContaining("java.lang.Object@");
            assertRejected(values, Map.of("a", List.of(Optional.of(new Object()))));
            assertRejected(values, List.of(new Key("a", new byte[] {1}))).withMessageContaining(" [B@");
            assertRejected(values, new AtomicReference<>(new Object()));
            assertRejected(values, CompletableFuture.completedFuture("a"));
            assertRejected(values, (Supplier<String>) () -> "a");
            assertRejected(values, "" + new Object());
            values.any(new Key("a", null));

            assertThat(names.get()).containsExactly("Key[id=a, content=null]");
        });
    }

    @Test
    void remedyForArraysIsOneThatTheyHave() {
        run((values, names) -> {
            String all = ", or all, joined by commas, as in #{'' + #ids}";
            assertRejected(values, new String[] {"a", "b"})
                    .withMessageContaining("use its elements: one, as in #{#ids[0]}" + all)
                    .withMessageEndingWith(all + ", or a lock for each, by names instead of name");
            assertRejected(values, Optional.of(new int[] {1})).withMessageEndingWith("by names instead of name");
            assertRejected(values, new byte[] {1}).withMessageEndingWith(all);
            assertRejected(values, new Key("a", new int[] {1})).withMessageEndingWith(all);
            assertRejected(values, new Object())
                    .withMessageEndingWith("; use a property of it, or override toString()");
            values.first(new String[] {"a", "b"});
            values.blank(new String[] {"a", "b"});
            values.blank(new byte[] {1, 2});

            assertThat(names.get()).containsExactly("a", "a,b", "1,2");
        });
    }

    /** As a proxy of Hibernate, its collections, and an event of Spring. */
    @Test
    void rejectsTextWithHashCodeOfAnotherObject() {
        run((values, names) -> {
            Customer customer = new Customer();
            assertRejected(values, new CustomerProxy(customer)).withMessageContaining("$Customer@");
            assertRejected(values, new LoadedCollection(List.of(customer))).withMessageContaining("$Customer@");
            assertRejected(values, new EventObject(customer)).withMessageContaining("$Customer@");
            assertRejected(values, new Shown("order/" + customer, List.of()));

            assertThat(names.get()).isEmpty();
        });
    }

    @Test
    void acceptsTextThatResemblesHashCode() {
        run((values, names) -> {
            values.any("joe.doe@cafe");
            values.any(new Key("io.dynamolock@1f", "java.lang.Object@example.com"));
            values.any("java.lang.Object@abc.de");
            values.any("java.lang.Object@2");
            values.any(List.of("B@100", "cash$$@50000"));

            assertThat(names.get())
                    .containsExactly(
                            "joe.doe@cafe",
                            "Key[id=io.dynamolock@1f, content=java.lang.Object@example.com]",
                            "java.lang.Object@abc.de",
                            "java.lang.Object@2",
                            "[B@100, cash$$@50000]");
        });
    }

    @Test
    void acceptsValuesThatContainThemselves() {
        run((values, names) -> {
            List<Object> itself = new ArrayList<>();
            itself.add(itself);
            Map<String, Object> mapInItself = new LinkedHashMap<>();
            mapInItself.put("self", mapInItself);

            values.any(itself);
            values.any(mapInItself);

            assertThat(names.get()).containsExactly("[(this Collection)]", "{self=(this Map)}");
        });
    }

    @Test
    void rejectsValuesWhoseOrderDiffersInEachProcess() {
        run((values, names) -> {
            assertRejected(values, Set.of("a", "b"))
                    .withMessageContaining(
                            "whose order may differ in each process; use a list, or a sorted set or map");
            Map<String, Integer> unordered = Map.of("a", 1, "b", 2);
            assertRejected(values, unordered);
            assertRejected(values, unordered.values());
            assertRejected(values, List.of(new HashSet<>(unordered.keySet())));
            assertRejected(values, new Key("a", new AtomicReference<>(unordered)))
                    .withMessageContaining("contains a value of type java.util.");
            assertRejected(values, new LoadedSet(unordered.keySet()));
            assertRejected(values, new LoadedCollection(List.of(new HashSet<>(unordered.keySet()))));
            values.any(new TreeSet<>(Set.of("b", "a")));
            values.any(new LinkedHashMap<>(Map.of("a", new TreeMap<>(Map.of(2, "two", 1, "one")))));
            values.any(Collections.unmodifiableSet(new TreeMap<>(unordered).keySet()));
            values.any(Set.of("a"));

            assertThat(names.get()).containsExactly("[a, b]", "{a={1=one, 2=two}}", "[a, b]", "[a]");
        });
    }

    @Test
    void enumsHaveTheOrderOfTheirDeclaration() {
        run((values, names) -> {
            Set<Access> enums = EnumSet.allOf(Access.class);
            Map<Access, Integer> byEnum = new EnumMap<>(Map.of(Access.READ, 1, Access.WRITE, 2));
            values.any(enums);
            values.any(Collections.unmodifiableSet(enums));
            values.any(new Key("a", Collections.synchronizedSet(enums)));
            values.any(Collections.unmodifiableMap(byEnum));
            values.any(byEnum.keySet());
            values.any(byEnum.values());
            Set<Access> reversed = new TreeSet<>(Collections.reverseOrder());
            reversed.addAll(enums);
            assertRejected(values, Collections.unmodifiableCollection(new LoadedSet(reversed)));

            assertThat(names.get())
                    .containsExactly(
                            "[READ, WRITE]",
                            "[READ, WRITE]",
                            "Key[id=a, content=[READ, WRITE]]",
                            "{READ=1, WRITE=2}",
                            "[READ, WRITE]",
                            "[1, 2]");
        });
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // on purpose
    void rejectsTypesWhoseTextIsNotTheirValue() {
        run((values, names) -> {
            assertRejected(values, new Date(0))
                    .withMessageContaining("of type java.util.Date, whose text depends on the time zone of the process")
                    .withMessageContaining("toInstant()");
            assertRejected(values, List.of(new Timestamp(0)));
            assertRejected(values, new Key("a", Calendar.getInstance()));
            assertRejected(values, InetAddress.getLoopbackAddress()).withMessageContaining("getHostAddress()");
            assertRejected(values, ByteBuffer.allocate(3)).withMessageContaining("does not show what it contains");
            values.any(Instant.EPOCH);
            values.any(CharBuffer.wrap("job"));

            assertThat(names.get()).containsExactly("1970-01-01T00:00:00Z", "job");
        });
    }

    @Test
    void rejectsTextThatIsTooLong() {
        run((values, names) -> {
            values.any("x".repeat(2_048));
            assertRejected(values, "x".repeat(2_049)).withMessageContaining("text of 2,049 characters; at most 2,048");
            assertRejected(values, Collections.nCopies(1_000, "a"));

            assertThat(names.get()).hasSize(1);
        });
    }

    @Test
    void unwrapsOptionalNumbers() {
        run((values, names) -> {
            assertRejected(values, OptionalInt.empty()).withMessageContaining("evaluates to null");
            assertRejected(values, OptionalLong.empty()).withMessageContaining("evaluates to null");
            assertRejected(values, OptionalDouble.empty()).withMessageContaining("evaluates to null");
            values.any(OptionalInt.of(5));
            values.any(OptionalLong.of(6));
            values.any(OptionalDouble.of(0.5));

            assertThat(names.get()).containsExactly("5", "6", "0.5");
        });
    }

    @Test
    void rejectsInConcatenationWhatIsRejectedAlone() {
        run((values, names) -> {
            assertRejected(values::concatenated, null).withMessageContaining("#{#value} evaluates to null");
            assertRejected(values::concatenated, Optional.empty()).withMessageContaining("evaluates to null");
            assertRejected(values::concatenated, new Object()).withMessageContaining("hash code");
            assertRejected(values::concatenated, Set.of("a", "b")).withMessageContaining("order may differ");
            values.concatenated(List.of(1, 2));
            values.concatenated(Optional.of("a"));
            values.concatenated("");

            assertThat(names.get()).containsExactly("x-1,23", "x-a3", "x-3");
        });
    }

    @Test
    void rejectsInsideOfAnExpressionWhatIsRejectedAlone() {
        run((values, names) -> {
            assertRejected(values::nested, Optional.empty()).withMessageContaining("contains null");
            assertRejected(values::nested, new Object()).withMessageContaining("hash code");
            assertRejected(values::nested, Set.of("a", "b")).withMessageContaining("order may differ");
            assertRejected(values::nested, Map.of("a", 1, "b", 2)).withMessageContaining("order may differ");
            assertRejected(values::argument, Set.of("a", "b")).withStackTraceContaining("order may differ");
            values.nested(null);
            values.nested(List.of(1, 2));
            values.argument(null);
            values.argument(7);

            assertThat(names.get()).containsExactly("none", "x-1,2", "of null", "of 7");
        });
    }

    /** As without the checks: a name must not change with a new version. */
    @Test
    void hasTheTextOfSpelInExpressions() {
        run((values, names) -> {
            values.concatenated(new long[] {1, 2});
            values.concatenated(Volume.LOUD);
            values.argument(new String[] {"a", "b"});
            values.length(Collections.nCopies(3_000, 7));
            values.any(new Tags(List.of("b", "a")));
            values.any(java.sql.Date.valueOf("2026-01-02"));
            assertRejected(values::blank, " ").withMessageContaining("evaluates to blank text");

            assertThat(names.get()).containsExactly("x-1,23", "x-LOUD3", "of a,b", "6001", "a+b", "2026-01-02");
        });
    }

    @Test
    void looksOnlyAtWhatTheTextShows() {
        run((values, names) -> {
            Collection<Object> closed = new ClosedCollection();
            AtomicInteger seen = new AtomicInteger();
            List<Object> endless = new AbstractList<>() {
                @Override
                public Object get(int index) {
                    return seen.incrementAndGet();
                }

                @Override
                public int size() {
                    return Integer.MAX_VALUE;
                }

                @Override
                public String toString() {
                    return "[...]";
                }
            };

            values.any(new Shown("order[1]", closed));
            values.any(new Shown("Shown[id=1]", closed));
            values.any(new Basket());
            values.any(endless);

            assertThat(names.get()).containsExactly("order[1]", "Shown[id=1]", "basket", "[...]");
            assertThat(seen).hasValueLessThan(10);
        });
    }

    @Test
    void namesTheTemplateWhoseValueHasNoText() {
        run((values, names) -> {
            List<Object> one = new ArrayList<>();
            one.add(List.of(one));

            assertRejected(values, new ClosedCollection())
                    .withMessageContaining("#{#value} fails: java.lang.UnsupportedOperationException: closed")
                    .withMessageContaining("Values.any")
                    .withRootCauseInstanceOf(UnsupportedOperationException.class);
            assertRejected(values, one)
                    .withMessageContaining("Values.any")
                    .withRootCauseInstanceOf(StackOverflowError.class);
        });
    }

    private static void run(BiConsumer<Values, Supplier<List<String>>> test) {
        Locking.inMemory()
                .withBean(Values.class)
                .withBean("texts", Texts.class)
                .run(context -> test.accept(
                        context.getBean(Values.class),
                        () -> context.getBean(Locking.class).acquired()));
    }

    private static ThrowableAssertAlternative<IllegalStateException> assertRejected(Values values, Object value) {
        return assertRejected(values::any, value);
    }

    private static ThrowableAssertAlternative<IllegalStateException> assertRejected(
            Consumer<@Nullable Object> method, @Nullable Object value) {
        return assertThatIllegalStateException().isThrownBy(() -> method.accept(value));
    }

    static class Values {

        @DistributedLock("#{#value}")
        public void any(@Nullable Object value) {}

        @DistributedLock("#{'x-' + #value + 3}")
        public void concatenated(@Nullable Object value) {}

        @DistributedLock("#{#value == null ? 'none' : ('x-' + #value).trim()}")
        public void nested(@Nullable Object value) {}

        @DistributedLock("#{@texts.of(#value)}")
        public void argument(@Nullable Object value) {}

        @DistributedLock("#{('x-' + #value).length()}")
        public void length(@Nullable Object value) {}

        @DistributedLock("#{#ids[0]}")
        public void first(String[] ids) {}

        @DistributedLock("#{'' + #value}")
        public void blank(@Nullable Object value) {}
    }

    enum Volume {
        LOUD;

        @Override
        public String toString() {
            return "loud";
        }
    }

    static class Tags extends HashSet<String> {

        private static final long serialVersionUID = 1L;

        Tags(List<String> tags) {
            super(tags);
        }

        @Override
        public String toString() {
            return String.join("+", new TreeSet<>(this));
        }
    }

    static class Texts {

        public String of(@Nullable String text) {
            return "of " + text;
        }
    }

    record Key(String id, @Nullable Object content) {}

    enum Access {
        READ,
        WRITE
    }

    record Shown(String id, Collection<?> hidden) {

        @Override
        public String toString() {
            return id;
        }
    }

    static class Customer {}

    static class CustomerProxy extends Customer {

        private final Customer target;

        CustomerProxy(Customer target) {
            this.target = target;
        }

        @Override
        public String toString() {
            return target.toString();
        }
    }

    /** Has a text of its own, that of another collection. */
    private static class LoadedCollection extends AbstractCollection<Object> {

        private final Collection<?> loaded;

        LoadedCollection(Collection<?> loaded) {
            this.loaded = loaded;
        }

        @Override
        public Iterator<Object> iterator() {
            return Collections.<Object>unmodifiableCollection(loaded).iterator();
        }

        @Override
        public int size() {
            return loaded.size();
        }

        @Override
        public String toString() {
            return loaded.toString();
        }
    }

    private static final class LoadedSet extends LoadedCollection implements Set<Object> {

        LoadedSet(Collection<?> loaded) {
            super(loaded);
        }

        @Override
        public Spliterator<Object> spliterator() {
            return Set.super.spliterator();
        }
    }

    /** As a collection that can no longer be loaded. */
    private static final class ClosedCollection extends AbstractCollection<Object> {

        @Override
        public Iterator<Object> iterator() {
            throw new UnsupportedOperationException("closed");
        }

        @Override
        public int size() {
            throw new UnsupportedOperationException("closed");
        }
    }

    /** Has a text that does not show its elements. */
    private static final class Basket extends ArrayList<Object> {

        private static final long serialVersionUID = 1L;

        Basket() {
            super(List.of(new Object(), new HashMap<>(Map.of("a", 1, "b", 2))));
        }

        @Override
        public String toString() {
            return "basket";
        }
    }
}
