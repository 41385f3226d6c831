/**
 * The entry points of the sdk and their versions. A new name, or a new optional member, needs a minor version; a name that is
 * removed or changed needs a major one. A test compares each with the last release (test/contract). `orch/sdk/proposed`
 * has no version: see docs/sdk-versions.md.
 */
export const sdkDoors = {
  'orch/sdk': '1.1.0',
  'orch/sdk/admission': '1.0.0',
  'orch/sdk/client': '1.0.0',
  'orch/sdk/controllers': '1.0.0',
  'orch/sdk/core': '1.1.0',
  'orch/sdk/expressions': '1.0.0',
  'orch/sdk/files': '1.0.0',
  'orch/sdk/host': '1.1.0',
  'orch/sdk/identity': '1.0.0',
  'orch/sdk/server': '1.0.0',
  'orch/sdk/testing': '1.0.0',
  'orch/sdk/validation': '1.1.0',
} as const satisfies Readonly<Record<string, string>>
