import { Bool, field, inlined, kept, required, type Static, Struct, Text } from '../resource/schema.js'
import { ObjectFieldSelector, ResourceFieldSelector } from './downward-fields.js'
import { LocalObjectReference } from './references.js'

/** Selects a key of a ConfigMap. */
export const ConfigMapKeySelector = Struct(
  'core.v1.ConfigMapKeySelector',
  {
    ...inlined(1, LocalObjectReference),
    key: required(2, Text(), 'The key.'),
    optional: kept(3, Bool(), 'Whether it may be missing.'),
  },
  { description: 'A key of a ConfigMap.', mapType: 'atomic' },
)
export type ConfigMapKeySelector = Static<typeof ConfigMapKeySelector>

/** Selects a key of a Secret. */
export const SecretKeySelector = Struct(
  'core.v1.SecretKeySelector',
  {
    ...inlined(1, LocalObjectReference),
    key: required(2, Text(), 'The key.'),
    optional: kept(3, Bool(), 'Whether it may be missing.'),
  },
  { description: 'A key of a Secret.', mapType: 'atomic' },
)
export type SecretKeySelector = Static<typeof SecretKeySelector>

/** Selects a variable of a file in a volume. */
export const FileKeySelector = Struct(
  'core.v1.FileKeySelector',
  {
    volumeName: required(1, Text(), 'Name of a volume of the Pod. It must be an emptyDir.'),
    path: required(2, Text(), 'Path of the file in the volume. It may not begin with / or contain "..".'),
    key: required(3, Text(), 'Name of the variable in the file.'),
    optional: kept(4, Bool(), { description: 'Whether the file or the variable may be missing.', default: false }),
  },
  { description: 'A variable of a file that an init container has written.', mapType: 'atomic' },
)
export type FileKeySelector = Static<typeof FileKeySelector>

/** Where the value of an environment variable comes from. */
export const EnvVarSource = Struct(
  'core.v1.EnvVarSource',
  {
    fieldRef: kept(1, ObjectFieldSelector, 'A field of the Pod.'),
    resourceFieldRef: kept(2, ResourceFieldSelector, 'A resource of the container.'),
    configMapKeyRef: kept(3, ConfigMapKeySelector, 'A key of a ConfigMap.'),
    secretKeyRef: kept(4, SecretKeySelector, 'A key of a Secret.'),
    fileKeyRef: kept(5, FileKeySelector, {
      description: 'A variable of a file in a volume.',
      since: '1.34',
      gate: 'EnvFiles',
    }),
  },
  { description: 'Where the value of a variable comes from. Exactly one is given.' },
)
export type EnvVarSource = Static<typeof EnvVarSource>

/** An environment variable of a container. */
export const EnvVar = Struct(
  'core.v1.EnvVar',
  {
    name: required(1, Text(), 'Name of the variable.'),
    value: field(
      2,
      Text(),
      'Its value; $(NAME) is replaced by the variable of that name, $$(NAME) by a literal $(NAME).',
    ),
    valueFrom: kept(3, EnvVarSource, 'Where the value comes from. Excludes value.'),
  },
  { description: 'A variable of the environment.' },
)
export type EnvVar = Static<typeof EnvVar>

/** A ConfigMap whose keys become environment variables. */
export const ConfigMapEnvSource = Struct(
  'core.v1.ConfigMapEnvSource',
  {
    ...inlined(1, LocalObjectReference),
    optional: kept(2, Bool(), 'Whether it may be missing.'),
  },
  { description: 'A ConfigMap whose keys become variables.' },
)
export type ConfigMapEnvSource = Static<typeof ConfigMapEnvSource>

/** A Secret whose keys become environment variables. */
export const SecretEnvSource = Struct(
  'core.v1.SecretEnvSource',
  {
    ...inlined(1, LocalObjectReference),
    optional: kept(2, Bool(), 'Whether it may be missing.'),
  },
  { description: 'A Secret whose keys become variables.' },
)
export type SecretEnvSource = Static<typeof SecretEnvSource>

/** A set of environment variables taken from one object. */
export const EnvFromSource = Struct(
  'core.v1.EnvFromSource',
  {
    prefix: field(1, Text(), 'Prefix of each key.'),
    configMapRef: kept(2, ConfigMapEnvSource, 'A ConfigMap.'),
    secretRef: kept(3, SecretEnvSource, 'A Secret.'),
  },
  { description: 'Keys that become variables.' },
)
export type EnvFromSource = Static<typeof EnvFromSource>
