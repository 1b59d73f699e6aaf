/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults of the checks of proxies, and of the choice of the methods that the annotation of a type locks. */
final class ProxyMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "scheduled work that is an init method as well is silently not locked",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isLockedOnSchedule",
                    "spring/interceptor/WorkMethods.java",
                    " && !isStartedBySpring(called);",
                    ";"),
            Mutant.of(
                    "a scheduled callback of Spring is silently not locked",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isLockedIfSpringStartsIt",
                    "spring/interceptor/WorkMethods.java",
                    "? !isStartedOnProxy(called)",
                    "? called != null"),
            Mutant.of(
                    "a listener that starts the bean of its process needs the lock",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isNotLockedIfListenerStartsLifecycle",
                    "spring/interceptor/WorkMethods.java",
                    "? !isStartedOnProxy(called)",
                    "? !isStartedBySpring(called)"),
            Mutant.of(
                    "scheduled work that a bean definition names as init method does not start",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isLockedIfSpringAlsoCallsItByItsName",
                    "spring/interceptor/ProxyRules.java",
                    "WorkMethods.isStartedBySpring(each.method()) || ",
                    ""),
            Mutant.of(
                    "an init method that inherits its annotation is silently not locked",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isRefusedIfItInheritsItsLock",
                    "spring/interceptor/ProxyRules.java",
                    "!each.isByType() && isLifecycle(bean, each)",
                    "each.method().equals(each.annotation().getSource()) && isLifecycle(bean, each)"),
            Mutant.of(
                    "a method with the name of an init method of another package is silently not locked",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isLockedIfItOnlyHasTheNameOfOne",
                    "spring/LifecycleMethods.java",
                    "                        && MethodOverrides.isOverridable(declared, method.getDeclaringClass()));",
                    ");"),
            Mutant.of(
                    "an override of an init method of another package is silently not locked",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isRefusedIfItOverridesOneOfAnotherPackage",
                    "spring/MethodOverrides.java",
                    ".anyMatch(each -> makesVisible(each, method))",
                    ".anyMatch(each -> each == null)"),
            Mutant.of(
                    "a bean that was replaced before its proxy is silently not locked",
                    TEST,
                    "spring.interceptor.WrappedBeanTests.replacedBeforeItsProxyIsReported",
                    "spring/AnnotatedBeanValidator.java",
                    "creation == null || concerns(own) ? own : creation.type",
                    "own"),
            Mutant.of(
                    "a bean that was wrapped after its proxy is reported as not locked",
                    TEST,
                    "spring.interceptor.WrappedBeanTests.wrappedAfterwardsIsLockedWithoutReport",
                    "spring/interceptor/LockPointcut.java",
                    "if (matches) {",
                    "if (!matches) {"),
            Mutant.of(
                    "@Proxyable is ignored",
                    TEST,
                    "spring.interceptor.ProxyShapesTests.proxyableByItsInterfacesIsLocked",
                    "spring/BeanProxy.java",
                    "preservesClass ? null : exposedInterfaces(beans, bean)",
                    "null"),
            Mutant.of(
                    "a method that @Proxyable hides counts as locked",
                    TEST,
                    "spring.interceptor.ProxyShapesTests.methodThatProxyableDoesNotExposeFailsTheStartup",
                    "spring/BeanProxy.java",
                    "!isIn(interfaces, method)",
                    "!isIn(ClassUtils.getAllInterfacesForClass(type), method)"),
            Mutant.of(
                    "a generic method behind an interface proxy does not start",
                    TEST,
                    "spring.interceptor.ProxyShapesTests.genericMethodIsLockedBehindInterfaceProxy",
                    "spring/BeanProxy.java",
                    "AopUtils.getMostSpecificMethod(declared, type).equals(called)",
                    "Arrays.equals(declared.getParameterTypes(), called.getParameterTypes())"),
            Mutant.of(
                    "an override of a locked method behind an interface proxy does not start",
                    TEST,
                    "spring.interceptor.ProxyShapesTests.genericMethodIsLockedBehindInterfaceProxy",
                    "spring/BeanProxy.java",
                    "called = AopUtils.getMostSpecificMethod(method, type)",
                    "called = method"),
            Mutant.of(
                    "a lazy bean whose interfaces lack its locked method is found on its creation",
                    TEST,
                    "spring.interceptor.ProxyShapesTests.lazyBeanBehindInterfaceProxyIsCheckedAtStartup",
                    "spring/BeanProxy.java",
                    "interfaces = new ProxyInterfaces().of(type);",
                    "interfaces = null;"),
            Mutant.of(
                    "a method whose overload is its fallback does not start",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.withTheNameOfItsFallbackIsLocked",
                    "spring/interceptor/FallbackHandler.java",
                    "if (named.remove(annotated.method()) && named.isEmpty()) {",
                    "if (named.contains(annotated.method())) {"),
            Mutant.of(
                    "the fallback of work that has the name of the fallback counts as work",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.withTheNameOfItsFallbackIsLocked",
                    "spring/interceptor/LockAnnotations.java",
                    "\n                                || method.getParameterCount() == called.getParameterCount() - 1)",
                    ")"),
            Mutant.of(
                    "work that has the parameters of a fallback, but not its result, is silently not locked",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.withTheParametersOfFallbackIsLocked",
                    "spring/interceptor/FallbackHandler.java",
                    "takes(fallback, locked.method()) && gives(fallback, type, locked)",
                    "takes(fallback, locked.method())"),
            Mutant.of(
                    "the fallback of a method with an annotation of its own counts as work",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.isNotTheFallbackOfMethodWithItsOwnAnnotation",
                    "spring/interceptor/LockAnnotations.java",
                    "            return new AnnotatedMethod(method, type, own);\n",
                    "            return null;\n"),
            Mutant.of(
                    "an annotated factory with a getter makes beans without the lock",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.inOtherBeansFailsTheStartupOfWhatMakesThem",
                    "spring/interceptor/ProxyRules.java",
                    "\n                || (FactoryBean.class.isAssignableFrom(annotated.type()) && WorkMethods.isGetter(method));",
                    ";"),
            Mutant.of(
                    "leader-only work that was replaced before its proxy runs on each process",
                    TEST,
                    "spring.leader.LeaderProxyTests.beanThatIsReplacedBeforeItsProxyFailsTheStartup",
                    "spring/AnnotatedBeanValidator.java",
                    "creation == null || concerns(own) ? own : creation.type",
                    "own"),
            Mutant.of(
                    "lazy leader-only work without a proxy runs on each process",
                    TEST,
                    "spring.leader.LeaderProxyTests.lazyBeanThatIsReplacedBeforeItsProxyIsNotCreated",
                    "spring/AnnotatedBeanValidator.java",
                    "            check(name, type, bean, unproxied);\n            checked",
                    "            check(name, type, bean, null);\n            checked"),
            Mutant.of(
                    "leader-only work that was wrapped after its proxy does not start",
                    TEST,
                    "spring.leader.LeaderProxyTests.beanThatIsWrappedAfterwardsIsSkipped",
                    "spring/AnnotatedBeanValidator.java",
                    "                || (isOther && gotProxy)\n",
                    ""),
            Mutant.of(
                    "an event that looks like a property of a Quartz job is silently not locked",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isLockedIfEventStartsIt",
                    "spring/interceptor/WorkMethods.java",
                    "(isCalledOnBean(called, type) || isPropertyOfJob(called, type)) && !isStartedBySpring(called)",
                    "isPropertyOfJob(called, type) || (isCalledOnBean(called, type) && !isStartedBySpring(called))"),
            Mutant.of(
                    "a prototype of a singleton that was replaced before its proxy is silently not locked",
                    TEST,
                    "spring.interceptor.WrappedBeanTests.prototypeOfSingletonIsReported",
                    "spring/AnnotatedBeanValidator.java",
                    "made != null ? made.unproxied() : null",
                    "null"),
            Mutant.of(
                    "a leader-only prototype that was replaced before its proxy runs on each process",
                    TEST,
                    "spring.leader.LeaderProxyTests.prototypeThatIsReplacedBeforeItsProxyFailsTheStartup",
                    "spring/AnnotatedBeanValidator.java",
                    "made != null ? made.unproxied() : null",
                    "null"),
            Mutant.of(
                    "a scheduled method is silently not locked if it is a fallback",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.thatSpringStartsIsNoFallback",
                    "spring/interceptor/LockAnnotations.java",
                    "WorkMethods.isStartedBySpring(called) || ",
                    ""),
            Mutant.of(
                    "a record that was wrapped after its proxy is reported as not locked",
                    TEST,
                    "spring.interceptor.WrappedBeanTests.wrappedRecordIsLockedWithoutReport",
                    "spring/AnnotatedBeanValidator.java",
                    "if (bean instanceof Record) {",
                    "if (bean == beans) {"),
            Mutant.of(
                    "a bean that lost its proxy is silently not locked",
                    TEST,
                    "spring.interceptor.WrappedBeanTests.unwrappedAfterwardsIsReported",
                    "spring/AnnotatedBeanValidator.java",
                    "(isOther && gotProxy)",
                    "gotProxy"),
            Mutant.of(
                    "leader-only work that lost its proxy runs on each process",
                    TEST,
                    "spring.leader.LeaderProxyTests.beanThatLosesItsProxyFailsTheStartup",
                    "spring/AnnotatedBeanValidator.java",
                    "(isOther && gotProxy)",
                    "gotProxy"),
            Mutant.of(
                    "a later prototype that was replaced before its proxy is silently not locked",
                    TEST,
                    "spring.interceptor.WrappedBeanTests.laterPrototypeIsReported",
                    "spring/ProxiedBeans.java",
                    "        boolean isProxied;",
                    "        static boolean isProxied;"),
            Mutant.of(
                    "each later leader-only prototype runs on each process if the first has a proxy",
                    TEST,
                    "spring.leader.LeaderProxyTests.laterPrototypeThatIsReplacedIsNotCreated",
                    "spring/AnnotatedBeanValidator.java",
                    "Checked once = new Checked(name, type, unproxied);",
                    "Checked once = new Checked(name, type, null);"),
            Mutant.of(
                            "leader-only work whose creation failed keeps its application from starting",
                            TEST,
                            "spring.leader.LeaderProxyTests.beanWhoseCreationFailedIsAccepted",
                            "spring/AnnotatedBeanValidator.java",
                            "            proxied.begin(name, type);\n",
                            "            proxied.begin(name, type); created.put(name, new Created(type, false, new BeanProxy.Obstacle(\"\", \"\")));\n")
                    .and(
                            "spring/AnnotatedBeanValidator.java",
                            "created.merge(name, made, (one, next) -> one.unproxied() == null ? next : one)",
                            "created.put(name, made)"),
            Mutant.of(
                    "a test with leader-only methods cannot be initialized",
                    TEST,
                    "spring.leader.LeaderProxyTests.instanceOfTestIsAccepted",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "name.endsWith(AutowireCapableBeanFactory.ORIGINAL_INSTANCE_SUFFIX)\n                || ",
                    ""),
            Mutant.of(
                    "scoped leader-only work does not start",
                    TEST,
                    "spring.leader.LeaderProxyTests.scopedBeanIsSkipped",
                    "spring/AnnotatedBeanValidator.java",
                    "                || bean instanceof AopInfrastructureBean\n",
                    ""),
            Mutant.of(
                    "a scoped bean beside an interface does not start",
                    TEST,
                    "spring.interceptor.ProxyShapesTests.scopedBeanIsLockedBesideInterface",
                    "spring/BeanProxy.java",
                    "made == null && isClassOf(beans, bean, type)",
                    "isToBeExtended(type)"),
            Mutant.of(
                    "a lazy bean whose declared class has a final method does not start",
                    TEST,
                    "spring.interceptor.ProxyShapesTests.lazyBeanIsNotRefusedForItsDeclaredClass",
                    "spring/BeanProxy.java",
                    "\n                && definition.getInstanceSupplier() == null;",
                    ";"),
            Mutant.of(
                    "a configuration whose work is named like a getter does not start",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.ofConfigurationMayBeNamedLikeGetter",
                    "spring/interceptor/ProxyRules.java",
                    "FactoryBean.class.isAssignableFrom(annotated.type()) && ",
                    ""),
            Mutant.of(
                    "an init method whose super method is scheduled counts as work",
                    TEST,
                    "spring.interceptor.InitMethodWorkTests.isNoWorkIfOnlyTheOverriddenMethodIsScheduled",
                    "spring/interceptor/WorkMethods.java",
                    "MergedAnnotations.from(method).isPresent(SCHEDULED)",
                    "inHierarchy(method).isPresent(SCHEDULED)"));

    private ProxyMutants() {}
}
