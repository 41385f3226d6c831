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
