/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * A second copy of the classes and tests of this module with a {@link Mutant} compiled in: the built artifacts contain no
 * mutants. All other classes come from the parent loader.
 */
final class MutantClasses extends URLClassLoader {

    private static final String PACKAGE = "io.dynamolock.";
    private static final Path SOURCES = Path.of("src/main/java/io/dynamolock");
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private final Path folder;

    private MutantClasses(boolean seeded, Path folder, URL... places) {
        super(seeded ? SeededCopy.NAME : "unchanged", places, MutantClasses.class.getClassLoader());
        this.folder = folder;
    }

    /** Compiles a mutant. */
    static MutantClasses of(Mutant mutant) throws IOException {
        Path folder = Files.createTempDirectory("mutant");
        List<Path> changed = new ArrayList<>();
        for (Map.Entry<String, String> source : sourcesOf(mutant).entrySet()) {
            Path copy = folder.resolve(source.getKey());
            Files.createDirectories(copy.getParent());
            changed.add(Files.writeString(copy, source.getValue()));
        }
        Path classes = Files.createDirectory(folder.resolve("classes"));
        if (!changed.isEmpty()) {
            compile(changed, classes);
        }
        return new MutantClasses(
                !changed.isEmpty(),
                folder,
                Stream.concat(Stream.of(classes), ofThisModule())
                        .map(MutantClasses::url)
                        .toArray(URL[]::new));
    }

    /** Returns the changed sources by file; fails unless each text to replace occurs exactly once. */
    static Map<String, String> sourcesOf(Mutant mutant) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Mutant.Edit edit : mutant.edits()) {
            String file = edit.file();
            String before = sources.containsKey(file) ? sources.get(file) : Files.readString(SOURCES.resolve(file));
            assertThat(before.split(Pattern.quote(edit.from()), -1).length - 1)
                    .as("%s: occurrences of '%s' in %s", mutant, edit.from(), file)
                    .isOne();
            sources.put(file, before.replace(edit.from(), edit.to()));
        }
        return sources;
    }

    /** Returns the class folders of this module; other modules are not copied. */
    private static Stream<Path> ofThisModule() {
        Path module = Path.of("").toAbsolutePath();
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(place -> place.startsWith(module) && Files.isDirectory(place));
    }

    /** Returns a copy of the unchanged classes. */
    static MutantClasses unchanged() throws IOException {
        return of(Mutant.NONE);
    }

    /** With one file manager for all, as it takes longer to open the class path than to compile a class. */
    private static synchronized void compile(List<Path> sources, Path classes) throws IOException {
        FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
        StringWriter complaints = new StringWriter();
        boolean compiled = COMPILER.getTask(
                        complaints,
                        FILES,
                        null,
                        List.of("-proc:none", "-parameters", "-nowarn"),
                        null,
                        FILES.getJavaFileObjectsFromPaths(sources))
                .call();
        assertThat(compiled).as(complaints.toString()).isTrue();
    }

    private static URL url(Path place) {
        try {
            return place.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            boolean isOfThisModule = findResource(name.replace('.', '/') + ".class") != null;
            return isOfThisModule ? findClass(name) : super.loadClass(name, resolve);
        }
    }

    @Override
    public void close() throws IOException {
        super.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
