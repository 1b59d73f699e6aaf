/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import com.jayway.jsonpath.JsonPath;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Chromium without a window, driven through its DevTools protocol. */
final class Browser implements AutoCloseable {

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Pattern DEV_TOOLS = Pattern.compile("DevTools listening on ws://([^/]+)/");

    private final JsonMapper json = new JsonMapper();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final StringBuilder partial = new StringBuilder();
    private final Process process;
    private final WebSocket page;
    private int commands;

    /** Returns the program, if the machine has one: that of CHROME_BIN, or one on the PATH. */
    static Optional<Path> program() {
        String given = System.getenv("CHROME_BIN");
        Stream<Path> programs = given != null
                ? Stream.of(Path.of(given))
                : Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
        return programs.filter(Files::isExecutable).filter(Files::isRegularFile).findFirst();
    }

    /** Opens a page. The folder is for the profile of the browser. */
    Browser(Path program, Path folder, String url) throws IOException, InterruptedException {
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox", // tests in containers run as root; the page is our own
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        HttpRequest newPage = HttpRequest.newBuilder(URI.create("http://" + address() + "/json/new?" + url))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpClient client = HttpClient.newHttpClient();
        String target = client.send(newPage, BodyHandlers.ofString()).body();
        URI socket = URI.create(JsonPath.read(target, "$.webSocketDebuggerUrl"));
        page = client.newWebSocketBuilder().buildAsync(socket, new Answers()).join();
    }

    private String address() throws IOException {
        BufferedReader output = process.inputReader();
        StringBuilder printed = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            printed.append(System.lineSeparator()).append(line);
            Matcher matcher = DEV_TOOLS.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new IOException("Chromium did not start:" + printed);
    }

    /** Evaluates an expression of JavaScript, and returns its value as text. */
    String evaluate(String expression) throws InterruptedException {
        String answer = command("Runtime.evaluate", Map.of("expression", "String(" + expression + ")"));
        if (answer.contains("\"exceptionDetails\"")) {
            throw new AssertionError(expression + ": " + answer);
        }
        return JsonPath.read(answer, "$.result.result.value");
    }

    /** Presses a key that the focused element gets. */
    void press(String key, int code, String text) throws InterruptedException {
        Map<String, Object> event = Map.of("key", key, "code", key, "windowsVirtualKeyCode", code, "text", text);
        Stream.of("keyDown", "keyUp").forEach(type -> {
            Map<String, Object> typed = new HashMap<>(event);
            typed.put("type", type);
            send("Input.dispatchKeyEvent", typed);
        });
        evaluate("1");
    }

    /** Sets the size of the window, and the color scheme. */
    void look(int width, int height, String scheme) throws InterruptedException {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        command(
                "Emulation.setEmulatedMedia",
                Map.of("features", new Object[] {Map.of("name", "prefers-color-scheme", "value", scheme)}));
    }

    /** Stores a picture of the whole page. */
    void picture(Path file) throws IOException, InterruptedException {
        String answer = command("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(JsonPath.<String>read(answer, "$.result.data")));
    }

    private int send(String method, Map<String, ?> parameters) {
        int id = ++commands;
        page.sendText(json.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        return id;
    }

    private String command(String method, Map<String, ?> parameters) throws InterruptedException {
        int id = send(method, parameters);
        while (true) {
            String answer = answers.poll(20, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("no answer to " + method);
            }
            if (answer.startsWith("{\"id\":" + id + ",")) {
                return answer;
            }
        }
    }

    @Override
    public void close() {
        page.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    private final class Answers implements WebSocket.Listener {

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            partial.append(data);
            if (last) {
                answers.add(partial.toString());
                partial.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }
}
