#version 450
// SPDX-License-Identifier: MIT
// Messages with release and acquire: SCOPE is gl_ScopeDevice, gl_ScopeQueueFamily (from a group to the one with the next
// ticket) or gl_ScopeWorkgroup (from an invocation to another of its group), with the memory model of Vulkan.
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Mail {
    uint tickets;
    uint flags[64];
    uint letters[64];
    uint results[];
};
shared uint ticket;
shared uint inside, flag;
void main() {
    if (gl_LocalInvocationIndex == 0) {
        ticket = atomicAdd(tickets, 1u, gl_ScopeDevice, 0, 0);
        flag = 0;
    }
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared | gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease);
#if IN_GROUP
    // The one that waits is of another subgroup.
    if (gl_LocalInvocationIndex == 0) {
        inside = ticket * 5;
        atomicStore(flag, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
    } else if (gl_LocalInvocationIndex == 63) {
        while (atomicLoad(flag, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire) == 0)
            ;
        results[ticket] = inside + 1;
    }
    // Mesa 26.2 leaves the store of the flag out if nothing comes after it.
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
#else
    if (gl_LocalInvocationIndex != 0)
        return;
    // Tickets are given in order, so the group before this has begun and does not wait for this.
    uint before = 0;
    if (ticket > 0) {
        while (atomicLoad(flags[ticket - 1], SCOPE, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 0)
            ;
        before = letters[ticket - 1];
    }
    letters[ticket] = before + ticket * ticket + 1;
    results[ticket] = before;
    atomicStore(flags[ticket], 1u, SCOPE, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
#endif
}
