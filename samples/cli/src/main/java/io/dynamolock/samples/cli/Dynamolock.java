/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockException;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LockTableException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** The program: its commands, and how it reports failures. */
final class Dynamolock {

    private static final int WIDTH = 100;
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    /** The replacement for bytes that are invalid in the locale's encoding: different names would become equal. */
    private static final String UNREADABLE = "\uFFFD";

    private static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("name", "NAME"),
            Map.entry("leaseDuration", "--lease"),
            Map.entry("waitTime", "--wait"),
            Map.entry("minHold", "--min-hold"),
            Map.entry("owner", "--owner"),
            Map.entry("namePrefix", "--name-prefix"),
            Map.entry("tableName", "--table"),
            Map.entry("partitionKey", "--partition-key"),
            Map.entry("sortKey", "--sort-key"),
            Map.entry("sortKeyValue", "--sort-key"),
            Map.entry("ttlAttribute", "--ttl-attribute"));

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, Supplier<Object>> commands = new LinkedHashMap<>();

    /** What follows "--" after "lock". */
    private List<String> lockedCommand = List.of();

    Dynamolock(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
        commands.put("lock", () -> new LockCommand(lockedCommand, this::report));
        commands.put("list", () -> new ListCommand(out));
        commands.put("inspect", () -> new InspectCommand(out));
        commands.put("release", () -> new ReleaseCommand(out));
        commands.put("revoke", () -> new RevokeCommand(out));
        commands.put("create-table", () -> new CreateTableCommand(out));
        commands.put("print-table", () -> new PrintTableCommand(out));
        commands.put("print-policy", () -> new PrintPolicyCommand(out));
    }

    /** Runs a command, and returns its exit code. */
    int run(String... args) {
        List<String> all = List.of(args);
        for (String arg : all) {
            if (arg.contains(UNREADABLE)) {
                report("the locale has no characters for '%s'; set LC_ALL=C.UTF-8".formatted(arg));
                return ExitCode.USAGE;
            }
        }
        int end = all.indexOf("--");
        if (end >= 0 && args[0].equals("lock")) {
            lockedCommand = all.subList(end + 1, args.length);
            return execute(all.subList(0, end).toArray(String[]::new));
        }
        int exitCode = execute(args);
        String lost = exitCode == ExitCode.OK ? Output.failure(out) : null;
        if (lost == null) {
            return exitCode;
        }
        report(lost);
        return ExitCode.ERROR;
    }

    private int execute(String... args) {
        CommandLine program = new CommandLine(new Program());
        Supplier<Object> only = args.length == 0 ? null : commands.get(args[0]);
        if (only == null) {
            commands.forEach((name, command) -> program.addSubcommand(name, command.get()));
        } else {
            program.addSubcommand(args[0], only.get()); // the others need not be read
        }
        program.getSubcommands().values().forEach(command -> addCommonOptions(command.getCommandSpec()));
        return program.setExpandAtFiles(false)
                .setUsageHelpWidth(WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, new DurationConverter())
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(this::misused)
                .setExecutionExceptionHandler(this::failed)
                .execute(args);
    }

    private static void addCommonOptions(CommandSpec command) {
        command.addOption(OptionSpec.builder("--debug")
                .order(200)
                .description("Show stack traces, and log what the library does.")
                .build());
        command.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .order(201)
                .description("Show this help, and exit.")
                .build());
    }

    /** Reports one line, whatever the text contains. */
    private void report(String text) {
        err.println(
                "dynamolock: " + Shown.text(WHITE_SPACE.matcher(text.strip()).replaceAll(" ")));
    }

    private int misused(ParameterException failure, String... args) {
        String message = failure instanceof UnmatchedArgumentException unmatched
                ? unmatched(unmatched)
                : String.valueOf(failure.getMessage()).replaceFirst("^Error: ", "");
        return misused(message, failure.getCommandLine());
    }

    private String unmatched(UnmatchedArgumentException failure) {
        boolean isOption = failure.isUnknownOption();
        String command = failure.getCommandLine().getCommandName();
        if (!isOption && command.equals("lock") && lockedCommand.isEmpty()) {
            return "put the command after --: " + LockCommand.SYNOPSIS;
        }
        boolean isCommand = !isOption && failure.getCommandLine().getParent() == null;
        String message = isCommand
                ? "unknown command '%s'".formatted(failure.getUnmatched().get(0))
                : String.valueOf(failure.getMessage());
        Stream<String> known = isOption
                ? failure.getCommandLine().getCommandSpec().options().stream().map(OptionSpec::longestName)
                : isCommand ? commands.keySet().stream() : Stream.empty();
        return Typo.meant(failure.getUnmatched().get(0), known)
                .map(similar -> message + "; did you mean '%s'?".formatted(similar))
                .orElse(message);
    }

    private int misused(String message, CommandLine command) {
        report(message);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    private int failed(Exception failure, CommandLine command, ParseResult program) {
        if (command.getParseResult().hasMatchedOption("--debug")) {
            failure.printStackTrace(err);
        }
        if (failure instanceof UsageException misuse) {
            return misused(String.valueOf(misuse.getMessage()), command);
        }
        if (failure instanceof InvalidSettingException invalid) {
            return misused(asTyped(invalid, command.getParseResult()), command);
        }
        report(isTableMissing(failure) ? missingTable(command.getParseResult()) : reason(failure));
        return failure instanceof FailedException known ? known.exitCode() : ExitCode.ERROR;
    }

    /** Returns the message with the names of options, and with a duration as it was typed. */
    private static String asTyped(InvalidSettingException invalid, ParseResult command) {
        String message = invalid.message(setting -> OPTIONS.getOrDefault(setting, setting));
        OptionSpec option = command.matchedOption(OPTIONS.getOrDefault(invalid.setting(), ""));
        String converted = "but is " + invalid.value();
        return option == null || !(invalid.value() instanceof Duration) || !message.endsWith(converted)
                ? message
                : message.substring(0, message.length() - converted.length()) + "but is "
                        + option.originalStringValues().get(0);
    }

    private static boolean isTableMissing(Exception failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(ResourceNotFoundException.class::isInstance);
    }

    private static String missingTable(ParseResult command) {
        String table = command.matchedOptionValue("--table", DynamoDbLockStore.DEFAULT_TABLE_NAME);
        boolean usesNewTable = command.commandSpec().name().equals("lock");
        return "table '%s' does not exist in this Region for these credentials, or is not ready; %s"
                .formatted(table, usesNewTable ? creation(command, table) : "check --table and --region");
    }

    private static String creation(ParseResult command, String table) {
        String others = TableOptions.OF_NEW_TABLE.stream()
                .map(command::matchedOption)
                .filter(Objects::nonNull)
                .map(option -> " " + option.longestName() + " "
                        + option.originalStringValues().get(0))
                .collect(Collectors.joining());
        return "create it: dynamolock create-table --table " + table + others;
    }

    private static String reason(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String hint = cause instanceof SdkException ? hint(cause) : null;
            if (hint != null) {
                return hint;
            }
        }
        boolean explained = failure instanceof FailedException
                || failure instanceof LockException
                || failure instanceof LockTableException
                || failure instanceof SdkException;
        return explained ? Objects.requireNonNull(failure.getMessage()) : failure + " (--debug shows more)";
    }

    /** Returns a remedy in place of the SDK's list of failed attempts; null if none is known. */
    private static @Nullable String hint(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.startsWith("Unable to load region")) {
            return "no AWS Region: pass --region, or set AWS_REGION or the region of the profile";
        }
        if (message.startsWith("Unable to load credentials")) {
            return Credentials.missing(failure);
        }
        return null;
    }

    @Command(
            name = "dynamolock",
            description =
                    "Runs commands under distributed locks on Amazon DynamoDB, and shows, frees and revokes locks.",
            versionProvider = Version.class,
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "COMMAND",
            commandListHeading = "%nCommands:%n",
            optionListHeading = "%nOptions:%n",
            footer = {
                "",
                "Region, endpoint and credentials come from where the AWS SDK looks them up: the environment,"
                        + " the profile (AWS_PROFILE), or the role of the machine.",
                "",
                "'dynamolock COMMAND --help' describes a command."
            })
    private static final class Program implements Runnable {

        @Override
        public void run() {
            throw new UsageException("a command is missing");
        }
    }

    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Dynamolock.class.getPackage().getImplementationVersion();
            return new String[] {"dynamolock " + (version == null ? "(development)" : version)};
        }
    }
}
