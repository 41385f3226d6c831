import { Flag, field, inlined, kept, needed, type Static, Struct, Text } from '../schema.js'
import { ObjectFieldSelector, ResourceFieldSelector } from './downward-fields.js'
import { LocalObjectReference } from './references.js'

/** Selects a key of a ConfigMap. */
export const ConfigMapKeySelector = Struct(
  'core.v1.ConfigMapKeySelector',
  {
    ...inlined(1, LocalObjectReference),
    key: needed(2, Text()),
    optional: kept(3, Flag()),
  },
  { mapType: 'atomic' },
)
export type ConfigMapKeySelector = Static<typeof ConfigMapKeySelector>

/** Selects a key of a Secret. */
export const SecretKeySelector = Struct(
  'core.v1.SecretKeySelector',
  {
    ...inlined(1, LocalObjectReference),
    key: needed(2, Text()),
    optional: kept(3, Flag()),
  },
  { mapType: 'atomic' },
)
export type SecretKeySelector = Static<typeof SecretKeySelector>

/** Where the value of an environment variable comes from. */
export const EnvVarSource = Struct('core.v1.EnvVarSource', {
  fieldRef: kept(1, ObjectFieldSelector),
  resourceFieldRef: kept(2, ResourceFieldSelector),
  configMapKeyRef: kept(3, ConfigMapKeySelector),
  secretKeyRef: kept(4, SecretKeySelector),
})
export type EnvVarSource = Static<typeof EnvVarSource>

/** An environment variable of a container. */
export const EnvVar = Struct('core.v1.EnvVar', {
  name: needed(1, Text()),
  value: field(2, Text()),
  valueFrom: kept(3, EnvVarSource),
})
export type EnvVar = Static<typeof EnvVar>

/** A ConfigMap whose keys become environment variables. */
export const ConfigMapEnvSource = Struct('core.v1.ConfigMapEnvSource', {
  ...inlined(1, LocalObjectReference),
  optional: kept(2, Flag()),
})
export type ConfigMapEnvSource = Static<typeof ConfigMapEnvSource>

/** A Secret whose keys become environment variables. */
export const SecretEnvSource = Struct('core.v1.SecretEnvSource', {
  ...inlined(1, LocalObjectReference),
  optional: kept(2, Flag()),
})
export type SecretEnvSource = Static<typeof SecretEnvSource>

/** A set of environment variables taken from one object. */
export const EnvFromSource = Struct('core.v1.EnvFromSource', {
  prefix: field(1, Text()),
  configMapRef: kept(2, ConfigMapEnvSource),
  secretRef: kept(3, SecretEnvSource),
})
export type EnvFromSource = Static<typeof EnvFromSource>
