import { isRecord } from 'orch/sdk'
import type { Behavior, ScalingRules } from './metric-structs.js'

/** The behavior as an annotation: with the field names of the reference's internal type, and null for unset fields. */
export function writeBehavior({ scaleUp, scaleDown }: Behavior, includesTolerance: boolean): string {
  const rules = (one: ScalingRules | undefined) =>
    one
      ? {
          StabilizationWindowSeconds: one.stabilizationWindowSeconds ?? null,
          SelectPolicy: one.selectPolicy ?? null,
          Policies:
            one.policies?.map(({ type, value, periodSeconds }) => ({
              Type: type,
              Value: value,
              PeriodSeconds: periodSeconds,
            })) ?? null,
          ...(includesTolerance ? { Tolerance: one.tolerance ?? null } : {}),
        }
      : null
  return JSON.stringify({ ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) })
}

/** Parses such an annotation; undefined if it is empty or malformed. Field names are case-insensitive. */
export function readBehavior(text: string | undefined): Behavior | undefined {
  if (text === undefined) return undefined
  try {
    const value = lowered(JSON.parse(text))
    if (!isRecord(value)) return undefined
    const scaleUp = readRules(value['scaleup'])
    const scaleDown = readRules(value['scaledown'])
    if (!scaleUp && !scaleDown) return undefined
    return { ...(scaleUp ? { scaleUp } : {}), ...(scaleDown ? { scaleDown } : {}) }
  } catch {
    return undefined
  }
}

function readRules(value: unknown): ScalingRules | undefined {
  if (!isRecord(value)) return undefined
  const { stabilizationwindowseconds: seconds, selectpolicy: select, policies, tolerance } = value
  return {
    ...(typeof seconds === 'number' ? { stabilizationWindowSeconds: seconds } : {}),
    ...(typeof select === 'string' ? { selectPolicy: select } : {}),
    ...(typeof tolerance === 'string' ? { tolerance } : {}),
    ...(Array.isArray(policies)
      ? {
          policies: policies.filter(isRecord).map(({ type, value: amount, periodseconds }) => ({
            type: String(type ?? ''),
            value: Number(amount ?? 0),
            periodSeconds: Number(periodseconds ?? 0),
          })),
        }
      : {}),
  }
}

/** The same value with all field names in lower case. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), lowered(inner)]))
}
