import { vendorProfiles } from 'orch/sdk'
import type { Command } from '../command.js'
import type { FlagDefinition } from './flags.js'

/** Options of every command. */
export const globalFlags: readonly FlagDefinition[] = [
  { name: 'namespace', short: 'n', kind: 'text', value: 'NAME', description: 'namespace to work in' },
  { name: 'context', kind: 'text', value: 'NAME', description: 'context of the client config to use' },
  { name: 'cluster', kind: 'text', value: 'NAME', description: 'cluster of the client config to use' },
  { name: 'user', kind: 'text', value: 'NAME', description: 'user of the client config to use' },
  { name: 'config', aliases: ['kubeconfig'], kind: 'text', value: 'FILE', description: 'client config file to use' },
  { name: 'server', short: 's', kind: 'text', value: 'URL', description: 'address of the server' },
  {
    name: 'tls-server-name',
    kind: 'text',
    value: 'NAME',
    description: 'name that the certificate of the server is verified against',
  },
  { name: 'token', kind: 'text', value: 'TOKEN', description: 'bearer token to authenticate with' },
  {
    name: 'certificate-authority',
    kind: 'text',
    value: 'FILE',
    description: 'CA certificates that the certificate of the server is verified against',
  },
  { name: 'client-certificate', kind: 'text', value: 'FILE', description: 'certificate to authenticate with' },
  { name: 'client-key', kind: 'text', value: 'FILE', description: 'private key of the client certificate' },
  { name: 'username', kind: 'text', value: 'NAME', description: 'name for basic authentication' },
  { name: 'password', kind: 'text', value: 'TEXT', description: 'password for basic authentication' },
  { name: 'insecure-skip-tls-verify', kind: 'switch', description: 'do not verify the certificate of the server' },
  { name: 'as', kind: 'text', value: 'USER', description: 'impersonate this user' },
  { name: 'as-group', kind: 'list', value: 'GROUP', description: 'impersonate a member of this group' },
  { name: 'as-uid', kind: 'text', value: 'UID', description: 'with --as: impersonate this uid' },
  {
    name: 'as-user-extra',
    kind: 'list',
    value: 'KEY=VALUE',
    description: 'with --as: impersonate a user with this extra value',
  },
  { name: 'warnings-as-errors', kind: 'switch', description: 'exit with an error if the server sends a warning' },
  {
    name: 'v',
    short: 'v',
    kind: 'text',
    value: 'LEVEL',
    description: 'log level: 6 shows requests, 7 also their headers, 8 also their bodies, 10 everything in full',
  },
  {
    name: 'request-timeout',
    kind: 'text',
    value: 'TIME',
    description: 'timeout of a request: 30s; 0, the default, means none',
  },
  {
    name: 'vendor',
    kind: 'text',
    value: 'NAME',
    description: `vendor of the server (${Object.keys(vendorProfiles).join(', ')}, or a domain); detected by default`,
    choices: Object.keys(vendorProfiles),
  },
  {
    name: 'color',
    aliases: ['colour'],
    kind: 'text',
    value: 'WHEN',
    description: 'always, never, or auto: when writing to a terminal',
    choices: ['auto', 'always', 'never'],
  },
  { name: 'help', short: 'h', kind: 'switch', description: 'explain the command' },
]

/** All options of a command. Its own take precedence over global ones of the same name. */
export const flagsOf = ({ flags }: Command): FlagDefinition[] => [
  ...globalFlags.filter(shared => !flags.some(own => own.name === shared.name || own.short === (shared.short ?? ''))),
  ...flags,
]
