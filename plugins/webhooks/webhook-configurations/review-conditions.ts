import { type ApiObject, definePermission, type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import { conditionLanguage } from 'orch/sdk/expressions'
import type { WebhookConfiguration } from './validation.js'

type Written = ApiObject & WebhookConfiguration

/** Conditions are compiled here because that needs a service; other errors are reported with theirs. */
export const reviewConditions = definePermission<Written>()({
  needs: { language: conditionLanguage },
  async review({ object, stored }, { language: { compile } }) {
    const errors: FieldError[] = []
    const known = new Set(
      (stored?.webhooks ?? []).flatMap(({ matchConditions }) =>
        (matchConditions ?? []).map(({ expression }) => expression),
      ),
    )
    for (const [i, { matchConditions = [] }] of (object.webhooks ?? []).entries()) {
      if (matchConditions.length === 0) continue
      const path = `webhooks[${i}].matchConditions`
      if (compile)
        await compile(
          matchConditions,
          (at, why) => {
            const { expression } = matchConditions[at]!
            const field = `${path}[${at}].expression`
            if (why.isInternal)
              errors.push({ type: 'InternalError', field, detail: `program instantiation failed: ${why.message}` })
            else if (expression?.trim())
              errors.push(invalidValue(field, expression, `compilation failed: ${why.message}`))
          },
          expression => !known.has(expression),
        )
      else errors.push(forbiddenField(path, 'the server has no plugin for the expressions of conditions'))
    }
    return errors
  },
})
