import type { Profile } from './server-flags.js'

/** Areas in which every step must match the recordings, apart from the exceptions. The list only grows. */
export const areasThatMustPass: Readonly<Record<Profile, readonly string[]>> = {
  base: [
    'authn',
    'concurrency',
    'configmap',
    'health',
    'impersonation',
    'ingressclass',
    'namespaces',
    'openapi',
    'secret',
    'serviceaccount',
    'storage',
    'tokenreview',
  ],
  plugins: [],
  strict: [],
  external: [],
}
