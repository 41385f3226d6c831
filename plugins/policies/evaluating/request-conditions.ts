import { type AdmissionRequest, type Authorizer, defineStartTask, type ServedType, services } from 'orch/sdk'
import {
  type CompiledConditions,
  conditionLanguage,
  type ExpressionError,
  type Expressions,
  expressions,
  type RequestCondition,
} from 'orch/sdk/expressions'
import { compilePolicy, type ReportProblem } from '../compiling/compile-policy.js'
import { conditionsHold } from './evaluate-policy.js'
import { PolicyVariables, RequestObjects } from './policy-variables.js'
import { RequestAuthorizer } from './request-authorizer.js'

const path = /^spec\.matchConditions\[(\d+)\]/

/** Provides the compiler for match conditions of webhooks, which is that of policies. */
export const offerConditions = defineStartTask({
  name: 'conditions of webhooks',
  needs: {
    offered: conditionLanguage,
    language: expressions,
    authorizer: services.authorizer,
  },
  async run({ offered, language, authorizer }) {
    offered.compile = async (conditions, report, isNew) => {
      const compiled = await compileConditions(conditions, language, report, isNew)
      return {
        hold: (request, as) => hold(compiled, request, as, authorizer),
      } satisfies CompiledConditions
    }
  },
})

function compileConditions(
  matchConditions: readonly RequestCondition[],
  language: Expressions,
  report: (index: number, why: ExpressionError) => void,
  isNew?: (expression: string) => boolean,
) {
  const reportAt: ReportProblem = (field, _, why) => {
    const [, index = '0'] = path.exec(field) ?? []
    report(Number(index), why)
  }
  return compilePolicy({ matchConditions: [...matchConditions] }, language, reportAt, {}, isNew)
}

async function hold(
  compiled: Parameters<typeof conditionsHold>[0],
  request: AdmissionRequest,
  as: ServedType,
  authorizer: Authorizer,
): Promise<boolean | { error: string }> {
  const questions = new RequestAuthorizer(authorizer, request)
  for (;;) {
    const variables = new PolicyVariables(new RequestObjects(request, as), undefined, undefined, questions)
    const outcome = conditionsHold(compiled, variables)
    const pending = questions.takePending()
    if (pending.length === 0) return outcome
    await Promise.all(pending)
  }
}
