#version 450
// SPDX-License-Identifier: MIT
void main() {}
