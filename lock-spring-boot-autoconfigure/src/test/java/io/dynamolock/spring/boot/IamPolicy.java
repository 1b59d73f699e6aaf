/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Rejects requests that the statements of a policy do not allow, like AWS, and records the requested actions. */
final class IamPolicy {

    private static final String ACTION = "dynamodb:";

    private final List<AttributeValue> statements;
    private final Set<String> used = new ConcurrentSkipListSet<>();
    private final Set<String> denied = new ConcurrentSkipListSet<>();

    IamPolicy(List<AttributeValue> statements) {
        this.statements = List.copyOf(statements);
    }

    /** Parses a JSON object to an attribute value. */
    static AttributeValue json(String text) {
        return AttributeValue.fromM(EnhancedDocument.fromJson(text).toMap());
    }

    /** Returns all allowed actions, including conditional ones. */
    Set<String> granted() {
        Set<String> granted = new TreeSet<>();
        statements.forEach(statement -> granted.addAll(actions(statement)));
        return granted;
    }

    Set<String> used() {
        return new TreeSet<>(used);
    }

    Set<String> denied() {
        return new TreeSet<>(denied);
    }

    Fault on(Attempt attempt) {
        List<Access> accesses = accesses(attempt);
        List<String> rejected = accesses.stream()
                .filter(access -> statements.stream().noneMatch(statement -> allows(statement, access)))
                .map(Access::action)
                .toList();
        denied.addAll(rejected);
        if (!rejected.isEmpty()) {
            return Fault.denyAccess();
        }
        accesses.forEach(access -> used.add(access.action()));
        boolean unknownToDynamoDbLocal = attempt.isFor("UpdateContinuousBackups");
        return unknownToDynamoDbLocal ? Fault.response(200, "{}") : Fault.none();
    }

    /** One action, on one key if it accesses an item. */
    private record Access(String action, String key) {}

    private static List<Access> accesses(Attempt attempt) {
        AttributeValue body = json(attempt.body());
        List<Access> accesses = new ArrayList<>();
        if (attempt.isFor("TransactWriteItems")) {
            for (AttributeValue item : member(body, "TransactItems").l()) {
                accesses.add(new Access(ACTION + "ConditionCheckItem", key(member(item, "ConditionCheck"))));
            }
            return accesses;
        }
        accesses.add(new Access(ACTION + attempt.operation(), body.m().containsKey("Key") ? key(body) : ""));
        if (body.m().containsKey("Tags")) {
            accesses.add(new Access(ACTION + "TagResource", ""));
        }
        return accesses;
    }

    private static String key(AttributeValue request) {
        return member(member(member(request, "Key"), "lockName"), "S").s();
    }

    static AttributeValue member(AttributeValue json, String name) {
        return Objects.requireNonNull(json.m().get(name), name);
    }

    private static boolean allows(AttributeValue statement, Access access) {
        return actions(statement).contains(access.action())
                && leadingKeys(statement).stream()
                        .anyMatch(pattern -> access.key().startsWith(pattern.substring(0, pattern.length() - 1)));
    }

    /** Returns the permitted key patterns, each of which ends in an asterisk. */
    private static List<String> leadingKeys(AttributeValue statement) {
        return statement.m().containsKey("Condition")
                ? texts(member(
                        member(member(statement, "Condition"), "ForAllValues:StringLike"), "dynamodb:LeadingKeys"))
                : List.of("*");
    }

    private static List<String> actions(AttributeValue statement) {
        return texts(member(statement, "Action"));
    }

    private static List<String> texts(AttributeValue json) {
        return json.hasL() ? json.l().stream().map(AttributeValue::s).toList() : List.of(json.s());
    }
}
