"""Words that decide how a number in a text is read, in Chinese and English."""


def _words(written: str) -> tuple[str, ...]:
    return tuple(written.split())


CURRENCY_CODES = _words("USD CNY RMB EUR JPY GBP HKD CHF AUD CAD SGD KRW TWD")
CURRENCY_SIGNS = "$¥€£￥"

# A numeric fact may carry one of these; a hyphen after one joins a range and is no sign.
UNITS = _words(
    "元 美元 港元 欧元 日元 英镑 人民币 元人民币 万元 亿元 块 角 分 倍 级 度 岁 点 个百分点 "
    "件 个 人 名 位 次 条 份 项 台 股 手 页 户 家 笔 单 箱 瓶 张 套 辆 本 字 "
    "天 日 周 月 年 个月 小时 分钟 秒 毫秒 工作日 个工作日 ms s min h hr hrs days hours minutes seconds "
    "千克 公斤 克 吨 公里 千米 米 厘米 毫米 kg g km m cm mm B KB MB GB TB px pt tokens"
)

# The token after one of these names something; it measures nothing.
ID_LABELS = _words("订单号 流水号 单号 编号 工号 账号 卡号 批次号 批次")

DECREASES = _words("下降 减少 降低 跌 亏损 回落 下滑 下调 缩减 缩水 萎缩 收窄 净流出 降 减 亏")
DECREASES_ENGLISH = _words("declin decreas drop fell fall down loss lost lower reduc")

# 约 ends other words (节约, 合约), and 最近 is a time; a tilde after a digit joins a range.
APPROXIMATIONS = (
    r"(?<![节契预签合条公违特制])约为?|大概|(?<![最附])近|(?<![0-9%‰])[~≈]"
    r"|(?i:\b(?:about|around|approximately|nearly|roughly))"
)

# Numerals inside these are figures of speech or names. (万一, 千万别 and 十分 fail by form: a bare scale, one digit.)
IDIOMS = _words(
    "一成不变 成千上万 十全十美 一五一十 七上八下 五十步笑百步 三百六十行 十之八九 十有八九 一百八十度大转弯 "
    "一千零一夜 十万个为什么 十万火急 一万个放心 双十一 双十二 十一黄金周 十一假期 国庆十一"
)

# A digit before 成 is tenths, unless 成 begins one of these words.
NOT_TENTHS = "为立功员本果都年交长人绩品熟就语效份型千"

STRUCTURE_WORDS = _words("步骤 阶段 方案 附录")
# One character each, and the characters that make another word of them (代表 3 人, 文章 2 篇).
STRUCTURE_CHARACTERS = {"图": "意试企力", "表": "代手钟外发", "章": "文签印盖勋", "节": "环季细情调春关礼"}
STRUCTURE_ENGLISH = _words("step table figure fig. chapter section appendix phase stage option")

LISTING_WORDS = _words("以下 如下 下列 下面 上述 以上 前述")
LISTED_UNITS = _words("个方面 方面 部分 点 个 条 项 步 种 类 大")

MONTHS = _words("January February March April May June July August September October November December")
