import { vendorProfiles } from 'orch/sdk'
import type { Command } from '../command.js'
import type { FlagDefinition } from './flags.js'

/** Options of every command. */
export const globalFlags: readonly FlagDefinition[] = [
  { name: 'namespace', short: 'n', kind: 'text', value: 'NAME', means: 'namespace to work in' },
  { name: 'context', kind: 'text', value: 'NAME', means: 'context of the client config to use' },
  { name: 'cluster', kind: 'text', value: 'NAME', means: 'cluster of the client config to use' },
  { name: 'user', kind: 'text', value: 'NAME', means: 'user of the client config to use' },
  { name: 'config', aliases: ['kubeconfig'], kind: 'text', value: 'FILE', means: 'client config file to use' },
  { name: 'server', short: 's', kind: 'text', value: 'URL', means: 'address of the server' },
  { name: 'token', kind: 'text', value: 'TOKEN', means: 'bearer token to authenticate with' },
  { name: 'certificate-authority', kind: 'text', value: 'FILE', means: 'who may sign the certificate of the server' },
  { name: 'client-certificate', kind: 'text', value: 'FILE', means: 'certificate to authenticate with' },
  { name: 'client-key', kind: 'text', value: 'FILE', means: 'the private key of that certificate' },
  { name: 'insecure-skip-tls-verify', kind: 'switch', means: 'accept any certificate of the server' },
  { name: 'as', kind: 'text', value: 'USER', means: 'act as this user' },
  { name: 'as-group', kind: 'list', value: 'GROUP', means: 'act as a member of this group' },
  {
    name: 'request-timeout',
    kind: 'text',
    value: 'TIME',
    means: 'give up on a request that takes longer: 30s; 0, the default, waits as long as it takes',
  },
  {
    name: 'vendor',
    kind: 'text',
    value: 'NAME',
    means: `whose names the server uses (${Object.keys(vendorProfiles).join(', ')}, or a domain); found out by default`,
    choices: Object.keys(vendorProfiles),
  },
  {
    name: 'color',
    aliases: ['colour'],
    kind: 'text',
    value: 'WHEN',
    means: 'always, never, or auto: when writing to a terminal',
    choices: ['auto', 'always', 'never'],
  },
  { name: 'help', short: 'h', kind: 'switch', means: 'explain the command' },
]

/** All options of a command. Its own win over one of every command that has the same name. */
export const flagsOf = ({ flags }: Command): FlagDefinition[] => [
  ...globalFlags.filter(shared => !flags.some(own => own.name === shared.name || own.short === (shared.short ?? ''))),
  ...flags,
]
