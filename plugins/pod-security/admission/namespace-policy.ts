import { type FieldError, invalidValue } from 'orch/sdk'
import { type Mode, modes, type PodSecurityNames } from '../names.js'
import { isStricter, type LevelVersion, latest, levels, parseLevel, parseVersion } from '../standards/level.js'

/** The standard of each mode for the Pods of a namespace. */
export type Policy = Readonly<Record<Mode, LevelVersion>>

export interface NamespacePolicy {
  readonly policy: Policy
  /** Invalid labels. The strictest standard is enforced then, without audit annotations and warnings. */
  readonly errors: readonly FieldError[]
}

export function policyOf(
  labels: Readonly<Record<string, string>>,
  defaults: Policy,
  names: PodSecurityNames,
): NamespacePolicy {
  const errors: FieldError[] = []
  const read = <T>(label: string, parse: (text: string) => T | undefined, usual: T, broken: T, expected: string): T => {
    const text = labels[label]
    if (text === undefined) return usual
    const value = parse(text)
    if (value === undefined) errors.push(invalidValue(`metadata.labels[${label}]`, text, expected))
    return value ?? broken
  }
  const standardOf = (mode: Mode): LevelVersion => {
    const { level, version } = defaults[mode]
    const broken = mode === 'enforce' ? 'restricted' : 'privileged'
    return {
      level: read(names.levelLabel(mode), parseLevel, level, broken, `must be one of ${levels.join(', ')}`),
      version: read(names.versionLabel(mode), parseVersion, version, latest, 'must be "latest" or "v1.x"'),
    }
  }
  const policy = Object.fromEntries(modes.map(mode => [mode, standardOf(mode)])) as Policy
  return { policy: names.warnsAsItEnforces ? withWarnings(policy, labels, names) : policy, errors }
}

/** Whoever tightens what is enforced also gets warnings by that standard, unless a label chooses another. */
function withWarnings(policy: Policy, labels: Readonly<Record<string, string>>, names: PodSecurityNames): Policy {
  const { enforce, warn } = policy
  const isEnforced = parseLevel(labels[names.levelLabel('enforce')] ?? '') !== undefined
  const isChosen = labels[names.levelLabel('warn')] !== undefined
  if (!isEnforced || isChosen || !isStricter(enforce.level, warn.level)) return policy
  const hasVersion = labels[names.versionLabel('warn')] !== undefined
  return { ...policy, warn: { level: enforce.level, version: hasVersion ? warn.version : enforce.version } }
}

export const isPrivileged = (policy: Policy): boolean => modes.every(mode => policy[mode].level === 'privileged')
