/** Row 1. */
export const RETIRED_CODES = ['model_deprecated', 'model_end_of_life', 'model_eol', 'model_retired'] as const;

export const RETIRED_WORDS = [
  'end of life',
  'end-of-life',
  'no longer available',
  'deprecated',
  'retired',
  'retirement',
  'sunset',
  'decommissioned',
] as const;

/**
 * Row 2. Numbers are Zhipu's: 1113 arrears, 1304 calls of a day, 1308 and 1310 usage of a window, 1309 plan expired.
 */
export const QUOTA_CODES = [
  'insufficient_quota',
  'insufficient_user_quota',
  'insufficient_credits',
  'insufficient_balance',
  'insufficient_funds',
  'credit_balance_exhausted',
  'credits_exhausted',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
  'payment_required',
  'exceeded_current_quota_error',
  'usage_limit_reached',
  'usage_not_included',
  'organization_usage_limit_exceeded',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'spend_limit_exceeded',
  'spending_limit_reached',
  'budget_exceeded',
  'free_tier_exhausted',
  'AllocationQuota.FreeTierOnly',
  'Arrearage',
  'AccountOverdueError',
  '1113',
  '1304',
  '1308',
  '1309',
  '1310',
] as const;

export const QUOTA_WORDS = [
  'insufficient credit',
  'insufficient credits',
  'insufficient balance',
  'insufficient account balance',
  'insufficient funds',
  'insufficient quota',
  'not enough credits',
  'more credits',
  'out of credits',
  'no credits',
  'credits * exhausted',
  'credits * depleted',
  'credit balance is too low',
  'credit balance * exhausted',
  'credit limit * exceeded',
  'balance is not enough',
  'balance is too low',
  'balance exhausted',
  'in arrears',
  'account * overdue',
  'billing hard limit',
  'billing limit',
  'spend limit',
  'spending limit',
  'spending cap',
  'monthly budget',
  'usage limit reached',
  'hit your usage limit',
  'reached your * usage limits',
  'reached your specified api usage limits',
  'run out of credits',
  'exceeded your current quota',
  'payment required',
  'purchase credits',
  'top up your',
] as const;

/** Rate limits in words of quota: a quota per minute, told with its end. */
export const QUOTA_WORDS_UNLESS = [
  'quota exceeded for metric',
  'retry in #s',
  'retry in * seconds',
  'per minute',
  'requests per day',
] as const;

/** Row 3. */
export const TOO_LARGE_FOR_LIMIT_WORDS = [
  'request too large',
  'request is too large',
  'requested tokens exceed',
] as const;

/** Row 4. 1305 is Zhipu's. */
export const OVERLOAD_CODES = [
  'overloaded_error',
  'overloaded',
  'server_is_overloaded',
  'server_overloaded',
  'service_overloaded',
  'system_overloaded',
  'engine_overloaded',
  'engine_overloaded_error',
  'model_overloaded',
  'model_at_capacity',
  'at_capacity',
  'capacity_exceeded',
  'no_capacity',
  'slow_down',
  '1305',
] as const;

export const OVERLOAD_WORDS = [
  'overloaded',
  'at capacity',
  'over capacity',
  'at full capacity',
  'capacity constraints',
  'insufficient capacity',
  'out of capacity',
  'experiencing high demand',
  'high demand',
  'high load',
  'heavy load',
  'server is busy',
  'server busy',
  'service is busy',
  'too busy',
] as const;
