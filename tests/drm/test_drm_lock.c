/* SPDX-License-Identifier: MIT */
/* face/drm/shim/owned_lock.h: the lock that its thread knows of. */
#include "face/drm/shim/owned_lock.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define THREADS 4
#define ROUNDS  20000

static struct owned_lock lock;
static unsigned count;

static void the_owner_takes_it_again(void **state) {
    (void)state;
    owned_lock_take(&lock);
    assert_true(owned_lock_mine(&lock));
    assert_false(owned_lock_nested(&lock));
    owned_lock_take(&lock);
    assert_true(owned_lock_nested(&lock));
    owned_lock_release(&lock);
    assert_true(owned_lock_mine(&lock));
    owned_lock_release(&lock);
    assert_false(owned_lock_mine(&lock));
}

static void a_try_does_not_take_it_again(void **state) {
    (void)state;
    assert_true(owned_lock_try(&lock));
    assert_false(owned_lock_try(&lock));
    owned_lock_release(&lock);
    assert_false(owned_lock_mine(&lock));
}

static void *try_it(void *opaque) {
    bool *taken = opaque;
    *taken = owned_lock_try(&lock) || owned_lock_mine(&lock);
    return NULL;
}

static void another_thread_does_not_have_it(void **state) {
    pthread_t other;
    bool taken = true;
    (void)state;
    owned_lock_take(&lock);
    assert_int_equal(pthread_create(&other, NULL, try_it, &taken), 0);
    pthread_join(other, NULL);
    owned_lock_release(&lock);
    assert_false(taken);
}

static void *add(void *opaque) {
    for (unsigned i = 0; i < ROUNDS; i++) {
        owned_lock_take(&lock);
        count++;
        owned_lock_release(&lock);
    }
    return opaque;
}

static void one_thread_at_a_time_has_it(void **state) {
    pthread_t threads[THREADS];
    (void)state;
    count = 0;
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(count, THREADS * ROUNDS);
}

static void *take_and_release(void *opaque) {
    owned_lock_take(&lock);
    owned_lock_release(&lock);
    return opaque;
}

/* Or the thread of a device there would give way to nobody in each of its turns. */
static void nobody_waits_for_it_in_a_child(void **state) {
    pthread_t other;
    int status;
    (void)state;
    owned_lock_take(&lock);
    assert_int_equal(pthread_create(&other, NULL, take_and_release, NULL), 0);
    while (!owned_lock_wanted(&lock))
        sched_yield();
    pid_t pid = fork();
    if (pid == 0) {
        owned_lock_in_child(&lock);
        _exit(owned_lock_wanted(&lock) ? 1 : 0);
    }
    owned_lock_release(&lock);
    pthread_join(other, NULL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void a_child_has_it_as_the_parent_had(void **state) {
    int status;
    (void)state;
    owned_lock_take(&lock);
    pid_t child = fork();
    if (child == 0) {
        bool had = owned_lock_mine(&lock);
        owned_lock_release(&lock);
        _exit(had && !owned_lock_mine(&lock) && owned_lock_try(&lock) ? 0 : 1);
    }
    owned_lock_release(&lock);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_owner_takes_it_again),         cmocka_unit_test(a_try_does_not_take_it_again),
        cmocka_unit_test(another_thread_does_not_have_it),  cmocka_unit_test(one_thread_at_a_time_has_it),
        cmocka_unit_test(a_child_has_it_as_the_parent_had), cmocka_unit_test(nobody_waits_for_it_in_a_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
